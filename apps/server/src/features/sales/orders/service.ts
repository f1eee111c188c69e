/** Servers that nobody buys: they come from another system with their owners, who have paid there. */
export { bringServer, takeBroughtServer } from './bring.ts'
