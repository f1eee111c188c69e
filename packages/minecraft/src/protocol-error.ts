/** What a peer sent breaks the protocol or a limit. The only error that the readers of this package throw. */
export class ProtocolError extends Error {
  override name = 'ProtocolError'
}
