/** Where the worker is that says so when there is no connection, and shows what is pushed. */
export const workerAddress = '/service-worker.js'

/** Once the page has nothing more urgent to do. What fails here costs a visitor nothing but the page for no connection. */
export function registerWorker(): void {
  // A page that others frame is none of ours to keep.
  if (!('serviceWorker' in navigator) || window.top !== window) return
  const register = () => void navigator.serviceWorker.register(workerAddress).catch(() => {})
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
