// Speaks the reader's language, and loads the page that was asked for as soon as there is a connection again.
const spoken = [...document.querySelectorAll('main > [lang]')]
const cookie = /(?:^|; )ws_language=(\w+)/.exec(document.cookie)?.[1]
const wanted = [location.pathname.split('/')[1], cookie, ...navigator.languages.map((name) => name.slice(0, 2))]
const language = wanted.find((name) => spoken.some((part) => part.lang === name)) ?? 'en'
for (const part of spoken) part.hidden = part.lang !== language
document.documentElement.lang = language
const shown = spoken.find((part) => part.lang === language)
document.title = `${shown.querySelector('h1').textContent} · Wakestone`
try {
  const theme = localStorage.getItem('mantine-color-scheme-value')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be switched off; the system's theme will do.
}

const retry = () => location.reload()
for (const button of document.querySelectorAll('button')) button.addEventListener('click', retry)
addEventListener('online', retry)
