/** A line about a project. Authors write it like the rest of their texts: names in backticks are code. */
export function Short({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index, parts) =>
      index % 2 === 0 || index === parts.length - 1 ? part : <code key={index}>{part}</code>,
    )
}
