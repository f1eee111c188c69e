const names: Record<string, string> = {
  'discord.gg': 'Discord',
  'discord.com': 'Discord',
  'youtube.com': 'YouTube',
  'x.com': 'X',
  'twitter.com': 'X',
  'tiktok.com': 'TikTok',
  'github.com': 'GitHub',
  't.me': 'Telegram',
}

/** What a profile's service is called, by its address: `https://www.instagram.com/…` → `Instagram`. */
export function socialName(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  const [first = host] = host.split('.')
  return names[host] ?? first.charAt(0).toUpperCase() + first.slice(1)
}
