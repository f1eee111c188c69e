/** The style of every website; what differs is in custom properties. Written into the page: one answer shows it whole. */
export const styles = `
.ws-site{container-type:inline-size;color-scheme:var(--scheme);background:var(--ground);color:var(--text);font-family:var(--font);font-size:1.0625rem;line-height:1.6;min-height:100vh;display:flex;flex-direction:column;overflow-wrap:anywhere}
.ws-site *{box-sizing:border-box}
.ws-site :where(h1,h2,h3,h4,p,ul,ol,dl,dd,figure){margin:0;padding:0}
.ws-site :where(h1,h2,h3){line-height:1.2;text-wrap:balance}
.ws-site h1{font-size:clamp(2rem,6cqi,3.5rem);letter-spacing:-.02em}
.ws-site h2{font-size:clamp(1.375rem,3cqi,1.875rem);letter-spacing:-.01em}
.ws-site :is(h3,.ws-item){font-size:1.125rem;letter-spacing:0}
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
.ws-main{flex:1;display:flex;flex-direction:column;gap:clamp(2.5rem,7cqi,4.5rem);padding:clamp(2rem,6cqi,4rem) var(--edge);width:100%}
.ws-block{display:flex;flex-direction:column;gap:1.25rem}
.ws-tight{gap:.5rem}
.ws-lines{white-space:pre-line}
.ws-site .ws-bare{border:0;padding:0}
.ws-card{background:var(--raised);border:1px solid var(--line);border-radius:var(--corner);padding:clamp(1rem,3cqi,1.5rem)}
.ws-muted{color:var(--muted)}
.ws-hero{gap:1.5rem}
.ws-hero[data-align=center]{text-align:center;align-items:center}
.ws-hero p{max-width:42rem;font-size:1.1875rem;color:var(--muted);white-space:pre-line}
.ws-hero img{width:100%;height:auto;max-height:26rem;object-fit:cover;border-radius:var(--corner)}
.ws-site .ws-button{display:inline-flex;align-items:center;justify-content:center;min-height:3rem;padding:.625rem 1.5rem;border:0;border-radius:var(--corner);background:var(--accent);color:var(--on-accent);font:inherit;font-weight:650;text-decoration:none;cursor:pointer}
.ws-site .ws-button:hover{filter:brightness(1.08)}
.ws-site .ws-plain{background:transparent;color:var(--text);border:1px solid var(--line)}
.ws-status{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:1.25rem 2rem;align-items:end}
.ws-address{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:clamp(1.125rem,3.4cqi,1.5rem);font-weight:650}
.ws-status dl{grid-column:1/-1;display:flex;flex-wrap:wrap;gap:.5rem 2.5rem;padding-top:1rem;border-top:1px solid var(--line)}
.ws-status dt{font-size:.875rem;color:var(--muted)}
.ws-status dd{font-variant-numeric:tabular-nums}
.ws-state{display:inline-flex;gap:.5rem;align-items:center}
.ws-state::before{content:"";width:.75rem;height:.75rem;border-radius:50%;background:var(--down)}
.ws-state[data-state=up]::before{background:var(--up)}
.ws-state[data-state=asleep]::before{background:transparent;box-shadow:inset -.25rem 0 var(--asleep)}
.ws-state[data-state=starting]::before{background:var(--accent)}
.ws-state[data-state=down]::before{border-radius:0}
.ws-list{list-style:none;display:grid;gap:.75rem}
.ws-tiles{list-style:none;display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,14rem),1fr))}
.ws-names{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem}
.ws-names li{border:1px solid var(--line);border-radius:var(--corner);padding:.25rem .75rem;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9375rem}
.ws-rules{display:grid;gap:.75rem;padding-left:1.75rem}
.ws-rules li::marker{color:var(--accent-text);font-weight:650}
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
.ws-foot{border-top:1px solid var(--line);padding:1.5rem var(--edge);display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;justify-content:space-between;color:var(--muted)}
.ws-foot p{white-space:pre-line}
.ws-foot ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
.ws-foot a{display:inline-block;padding:.5rem 0}
@container (max-width:34rem){.ws-status{grid-template-columns:minmax(0,1fr)}}
.ws-main .ws-foot{padding-inline:0}
.ws-main:has(.ws-hero[data-align=center]) :is(.ws-block>h2,.ws-block>p){text-align:center}
.ws-main:has(.ws-hero[data-align=center]) :is(.ws-prose,.ws-rules,.ws-status,.ws-list){width:100%;max-width:46rem;margin-inline:auto}
.ws-site:has(.ws-hero[data-align=center]) .ws-foot{flex-direction:column;align-items:center;text-align:center}
.ws-main:has(.ws-hero[data-align=center]) .ws-names{justify-content:center}
.ws-main:has(.ws-hero[data-align=center]) .ws-card :is(h2,p){text-align:start}
@media (prefers-reduced-motion:no-preference){.ws-site .ws-button{transition:filter .15s}}
`.trim()
