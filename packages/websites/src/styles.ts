/** The style of every website; what differs is in custom properties. Written into the page: one answer shows it whole. */
import { tones } from './scene.ts'

/** A pixel of a face: column and row of eight, and how many it is wide and tall. */
const pixel = (colour: string, [column, row, wide, tall]: [number, number, number, number]) =>
  `linear-gradient(${colour} 0 0) ${place(column, wide)} ${place(row, tall)}/${wide * 12.5}% ${tall * 12.5}% no-repeat`
const place = (at: number, size: number) => (size === 8 ? '0' : `${Math.round((at / (8 - size)) * 10_000) / 100}%`)

const face = [
  pixel('var(--hair)', [0, 0, 8, 2]),
  pixel('var(--hair)', [0, 2, 1, 1]),
  pixel('var(--hair)', [7, 2, 1, 1]),
  pixel('#fff', [1, 4, 1, 1]),
  pixel('#fff', [6, 4, 1, 1]),
  pixel('var(--eyes)', [2, 4, 1, 1]),
  pixel('var(--eyes)', [5, 4, 1, 1]),
  pixel('#0003', [3, 5, 2, 1]),
  pixel('#0006', [2, 6, 4, 1]),
  'var(--skin)',
].join(',')
/** Skin, hair and eyes. */
const faces = [
  ['#e2a982', '#3a2516', '#3b5fa8'],
  ['#c98f6b', '#7b4a22', '#2f6b46'],
  ['#8d5a3c', '#1d1613', '#4a2c17'],
  ['#f0c5a4', '#d3a24c', '#2f7f9c'],
  ['#d79a74', '#9c3d23', '#3f6b35'],
  ['#7fae6a', '#3f6a3a', '#1c2b1a'],
  ['#b9c0ca', '#5b6672', '#2a63b8'],
  ['#6f4630', '#4b2f7a', '#5b3a1e'],
]
  .map(([skin, hair, eyes], index) => `.ws-faces [data-face="${index}"]{--skin:${skin};--hair:${hair};--eyes:${eyes}}`)
  .join('\n')

export const styles = `
.ws-site{container-type:inline-size;color-scheme:var(--scheme);background:var(--ground);color:var(--text);font-family:var(--font);font-size:1.0625rem;line-height:1.6;min-height:100vh;display:flex;flex-direction:column;overflow-wrap:anywhere;--band:color-mix(in srgb,var(--raised) 60%,var(--ground));--gap:clamp(2.75rem,6cqi,4.5rem)}
.ws-site *{box-sizing:border-box}
.ws-site :where(h1,h2,h3,h4,p,ul,ol,dl,dd,figure){margin:0;padding:0}
.ws-site :where(h1,h2,h3){line-height:1.15;text-wrap:balance}
.ws-site h1{font-size:clamp(2.375rem,8cqi,4.5rem);font-weight:800;letter-spacing:-.035em;line-height:1.05}
.ws-site h2{font-size:clamp(1.5rem,3.4cqi,2.125rem);font-weight:750;letter-spacing:-.02em}
.ws-site :is(h3,.ws-item){font-size:1.125rem;letter-spacing:-.005em}
.ws-site a{color:var(--accent-text);text-underline-offset:.2em}
.ws-site a:focus-visible,.ws-site button:focus-visible{outline:3px solid var(--accent-text);outline-offset:3px}
.ws-skip{position:absolute;left:1rem;top:-4rem;background:var(--raised);padding:.75rem 1rem;border-radius:var(--corner);z-index:2}
.ws-skip:focus{top:1rem}
.ws-bar,.ws-main,.ws-foot{--edge:max(clamp(1rem,4cqi,2.5rem),calc((100cqi - 63rem)/2))}
.ws-bar{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:center;justify-content:space-between;padding:.75rem var(--edge);border-bottom:1px solid var(--line)}
.ws-bar ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none}
.ws-bar a{display:inline-block;padding:.625rem .25rem;text-decoration:none;color:var(--muted)}
.ws-bar a:hover,.ws-bar a[aria-current]{color:var(--text)}
.ws-bar a[aria-current]{box-shadow:inset 0 -2px var(--accent-text)}
.ws-main{flex:1;width:100%}
.ws-main>*{padding:var(--gap) var(--edge)}
.ws-main>:nth-child(odd):not(:first-child){background:var(--band)}
.ws-block{display:flex;flex-direction:column;gap:1.5rem}
.ws-tight{gap:.5rem}
.ws-lines{white-space:pre-line}
.ws-site .ws-bare{border:0;padding:0;background:none}
.ws-card{background:var(--raised);border:1px solid var(--line);border-radius:var(--corner);padding:clamp(1.125rem,3cqi,1.75rem)}
.ws-muted{color:var(--muted)}
.ws-hero{gap:1.5rem}
.ws-hero[data-align=center]{text-align:center;align-items:center}
.ws-hero p{max-width:42rem;font-size:clamp(1.0625rem,2cqi,1.25rem);color:var(--muted);white-space:pre-line}
.ws-hero img{width:100%;height:auto;max-height:26rem;object-fit:cover;border-radius:var(--corner)}
.ws-main>:has(>.ws-scenic){padding:0}
.ws-site .ws-scenic{gap:0;align-items:stretch;background:linear-gradient(var(--sky-high),var(--sky-low));overflow:hidden}
.ws-lead{display:flex;flex-direction:column;gap:1.25rem;align-items:inherit;padding:clamp(3.5rem,9cqi,6.5rem) var(--edge) 0}
.ws-scenic[data-align=center] .ws-lead{align-items:center}
.ws-scenic[data-align=left] .ws-lead{align-items:flex-start}
.ws-scene{display:block;width:100%;height:clamp(15rem,25cqi,32rem);shape-rendering:crispEdges}
${tones.map((tone) => `.ws-${tone}{fill:var(--${tone})}`).join('\n')}
.ws-scene .ws-light{filter:drop-shadow(0 0 .7px var(--light))}
.ws-site .ws-button{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.625rem 1.5rem;border:0;border-radius:var(--corner);background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-decoration:none;cursor:pointer}
.ws-site .ws-button:hover{filter:brightness(1.08)}
.ws-site .ws-plain{background:transparent;color:var(--text);border:1px solid var(--line)}
.ws-join{gap:2rem}
.ws-main :has(>.ws-scenic)+:has(>.ws-join){padding-top:0}
.ws-main :has(>.ws-scenic)+:has(>.ws-join) .ws-status{margin-top:-2.25rem;position:relative;box-shadow:0 1rem 2.5rem #0003}
.ws-status{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:1.25rem 2rem;align-items:end}
.ws-site .ws-status h2{font-size:1rem;font-weight:600;letter-spacing:0;color:var(--muted)}
.ws-address{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:clamp(1.125rem,2.4cqi,1.625rem);font-weight:700;letter-spacing:-.02em;line-height:1.25}
.ws-status dl{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.75rem 2.75rem;padding-top:1.125rem;border-top:1px solid var(--line)}
.ws-status dt{font-size:.875rem;color:var(--muted)}
.ws-status dd{font-weight:600;font-variant-numeric:tabular-nums}
.ws-state{display:inline-flex;gap:.5rem;align-items:center}
.ws-state::before{content:"";flex:none;width:.75rem;height:.75rem;border-radius:50%;background:var(--down)}
.ws-state[data-state=up]::before{background:var(--up)}
.ws-state[data-state=asleep]::before{background:transparent;box-shadow:inset -.25rem 0 var(--asleep)}
.ws-state[data-state=starting]::before{background:var(--accent)}
.ws-state[data-state=down]::before{border-radius:0}
.ws-steps,.ws-rules{list-style:none;counter-reset:step;display:grid;gap:1rem}
.ws-steps{grid-template-columns:repeat(auto-fit,minmax(min(100%,12.5rem),1fr))}
.ws-rules{grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}
.ws-steps li,.ws-rules li{counter-increment:step;display:flex;gap:.875rem;align-items:flex-start}
.ws-rules li{padding:1rem 1.125rem;background:var(--raised);border:1px solid var(--line);border-radius:var(--corner)}
.ws-steps li::before,.ws-rules li::before{content:counter(step);flex:none;display:grid;place-items:center;width:1.75rem;height:1.75rem;border-radius:min(var(--corner),.5rem);background:var(--accent);color:var(--on-accent);font-size:.9375rem;font-weight:700;line-height:1;font-variant-numeric:tabular-nums}
.ws-list{list-style:none;display:grid;gap:1rem}
.ws-tiles{list-style:none;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr))}
.ws-names{list-style:none;display:flex;flex-wrap:wrap;gap:.625rem}
.ws-names li{background:var(--raised);border:1px solid var(--line);border-radius:var(--corner);padding:.25rem .75rem;font-size:.9375rem;font-weight:550}
.ws-faces li{display:flex;align-items:center;gap:.625rem;padding:.375rem .875rem .375rem .375rem}
.ws-faces li::before{content:"";flex:none;width:2rem;height:2rem;border-radius:min(var(--corner),.25rem);background:${face}}
${faces}
.ws-price{font-weight:650;font-variant-numeric:tabular-nums}
.ws-person{display:flex;gap:.875rem;align-items:center}
.ws-person img{width:3.5rem;height:3.5rem;border-radius:var(--corner);object-fit:cover}
.ws-gallery{list-style:none;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr))}
.ws-gallery img{width:100%;height:auto;aspect-ratio:16/10;object-fit:cover;border-radius:var(--corner);display:block}
.ws-prose{display:flex;flex-direction:column;gap:.875rem;max-width:46rem}
.ws-prose :where(ul,ol){padding-left:1.5rem}
.ws-prose pre{overflow-x:auto;padding:1rem;background:var(--ground);border:1px solid var(--line);border-radius:var(--corner)}
.ws-prose blockquote{margin:0;padding-left:1rem;border-left:3px solid var(--line);color:var(--muted)}
.ws-prose table{border-collapse:collapse;display:block;overflow-x:auto}
.ws-prose :where(th,td){border:1px solid var(--line);padding:.375rem .75rem;text-align:left}
.ws-foot{border-top:1px solid var(--line);padding:2rem var(--edge);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;justify-content:space-between;color:var(--muted)}
.ws-foot p{white-space:pre-line}
.ws-foot ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.ws-foot a{display:inline-block;padding:.5rem 0}
@container (max-width:52rem){.ws-status{grid-template-columns:minmax(0,1fr)}}
.ws-main .ws-foot{padding-inline:0}
.ws-main:has(.ws-hero[data-align=center]) :is(.ws-block>h2,.ws-block>p){text-align:center}
.ws-main:has(.ws-hero[data-align=center]) :is(.ws-prose,.ws-list){width:100%;max-width:46rem;margin-inline:auto}
.ws-main:has(.ws-hero[data-align=center]) :is(.ws-join,.ws-rules){width:100%;max-width:52rem;margin-inline:auto}
.ws-site:has(.ws-hero[data-align=center]) .ws-foot{flex-direction:column;align-items:center;text-align:center}
.ws-main:has(.ws-hero[data-align=center]) .ws-names{justify-content:center}
.ws-main:has(.ws-hero[data-align=center]) [data-live=nobody]{text-align:center}
.ws-main:has(.ws-hero[data-align=center]) .ws-card :is(h2,p){text-align:start}
@media (prefers-reduced-motion:no-preference){.ws-site .ws-button{transition:filter .15s}}
`.trim()
