/**
 * An address as one writes it: without the prefix that a socket of both versions gives to IPv4 addresses, and without
 * the name of an interface.
 */
export const plainAddress = (ip: string): string => ip.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
