'use strict'
/**
 * The management protocol of Minecraft 1.21.9 and later, as a stand-in speaks it: JSON-RPC 2.0 over a WebSocket, with a
 * secret as its bearer. Lists live in memory. Needs nothing but Node, since it goes into a server jar.
 */
const { createHash, timingSafeEqual } = require('node:crypto')
const { createServer } = require('node:http')

const lists = { allowlist: 'name', bans: 'player', ip_bans: 'ip', operators: 'player' }

function idOf(name) {
  const hash = createHash('md5').update(`OfflinePlayer:${name}`).digest('hex')
  return [hash.slice(0, 8), hash.slice(8, 12), `3${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`, hash.slice(20)].join(
    '-',
  )
}
const whole = (player) => ({ id: player.id ?? idOf(player.name), name: player.name })

/** One text frame, unmasked as servers send them. */
function frame(text) {
  const data = Buffer.from(text)
  if (data.length < 126) return Buffer.concat([Buffer.from([0x81, data.length]), data])
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0x817e)
  head.writeUInt16BE(data.length, 2)
  return Buffer.concat([head, data])
}

/** Whole frames at the beginning of `bytes`: `[opcode, content][]`, and what is left. */
function readFrames(bytes) {
  const frames = []
  let rest = bytes
  for (;;) {
    if (rest.length < 2) break
    let size = rest[1] & 0x7f
    let at = 2
    if (size === 126) {
      if (rest.length < 4) break
      size = rest.readUInt16BE(2)
      at = 4
    } else if (size === 127) {
      if (rest.length < 10) break
      size = Number(rest.readBigUInt64BE(2))
      at = 10
    }
    if (rest.length < at + 4 + size) break
    const mask = rest.subarray(at, at + 4)
    const content = Buffer.from(rest.subarray(at + 4, at + 4 + size)).map((byte, index) => byte ^ mask[index % 4])
    frames.push([rest[0] & 0x0f, content])
    rest = rest.subarray(at + 4 + size)
  }
  return { frames, rest }
}

/**
 * @param on what the game does about it: `kick(name)`, `save(flush)`, `autosave(isOn)`, `changed(list, entries)`
 * @param methods those that it has, all where it is missing
 */
function startManagement({ port, host = '127.0.0.1', secret, version = '1.21.9', on = {}, methods }) {
  const state = {
    allowlist: [],
    bans: [],
    ip_bans: [],
    operators: [],
    players: [],
    settings: { autosave: true, use_allowlist: false },
    rules: { keep_inventory: false },
  }
  const sockets = new Set()
  const calls = []
  const has = (method) => methods === undefined || methods.includes(method)

  const notify = (what, ...params) => {
    const text = JSON.stringify({ jsonrpc: '2.0', method: `minecraft:notification/${what}`, params })
    for (const socket of sockets) socket.write(frame(text))
  }

  function isEntry(list, entry, wanted) {
    if (list === 'ip_bans') return entry.ip === (wanted.ip ?? wanted)
    const one = list === 'allowlist' ? entry : entry.player
    const other = wanted.player ?? wanted
    return one.name.toLowerCase() === other.name?.toLowerCase() || one.id === other.id
  }

  function changeList(list, action, given) {
    if (action === 'clear') state[list] = []
    const whom = (entry) =>
      list === 'allowlist' ? whole(entry) : list === 'ip_bans' ? entry : { ...entry, player: whole(entry.player) }
    if (action === 'set') state[list] = given.map(whom)
    if (action === 'add')
      for (const entry of given) {
        state[list] = state[list].filter((known) => !isEntry(list, known, entry))
        const added = list === 'operators' ? { permissionLevel: 4, bypassesPlayerLimit: false, ...entry } : entry
        state[list].push(whom(added))
        notify(`${list}/added`, whom(added))
      }
    if (action === 'remove')
      for (const entry of given) {
        state[list] = state[list].filter((known) => !isEntry(list, known, entry))
        notify(`${list}/removed`, entry)
      }
    if (action !== undefined) on.changed?.(list, state[list])
    return state[list]
  }

  /** @throws `[code, message]` */
  function run(method, params) {
    if (method === 'rpc.discover') {
      const names = [
        'minecraft:players',
        'minecraft:players/kick',
        'minecraft:server/status',
        'minecraft:server/save',
        'minecraft:gamerules',
        'minecraft:gamerules/update',
      ]
      for (const list of Object.keys(lists))
        names.push(...['', '/set', '/add', '/remove', '/clear'].map((end) => `minecraft:${list}${end}`))
      for (const key of Object.keys(state.settings))
        names.push(`minecraft:serversettings/${key}`, `minecraft:serversettings/${key}/set`)
      return {
        openrpc: '1.3.2',
        info: { title: 'Minecraft Server JSON-RPC', version: '2.0.0' },
        methods: names.filter(has).map((name) => ({ name })),
      }
    }
    if (!has(method)) throw [-32601, 'Method not found']
    const [, name = '', action] = /^minecraft:(\w+)(?:\/(\w+))?$/.exec(method) ?? []
    if (name in lists) {
      if (action !== undefined && action !== 'clear' && !Array.isArray(params[0])) throw [-32602, 'Invalid params']
      return changeList(name, action, params[0])
    }
    const [, key, set] = /^minecraft:serversettings\/(\w+)(\/set)?$/.exec(method) ?? []
    if (key !== undefined && key in state.settings) {
      if (set !== undefined) state.settings[key] = params[0]
      if (set !== undefined && key === 'autosave') on.autosave?.(params[0])
      if (set !== undefined && key === 'use_allowlist') on.changed?.('use_allowlist', params[0])
      return state.settings[key]
    }
    switch (method) {
      case 'minecraft:players':
        return state.players
      case 'minecraft:players/kick':
        for (const { player } of params[0]) on.kick?.(player.name)
        return params[0].map(({ player }) => whole(player))
      case 'minecraft:server/status':
        return { started: true, players: state.players, version: { name: version, protocol: 773 } }
      case 'minecraft:server/save':
        notify('server/saving')
        on.save?.(params[0])
        notify('server/saved')
        return true
      case 'minecraft:gamerules':
        return Object.entries(state.rules).map(([rule, value]) => ({ key: rule, value, type: typeof value }))
      case 'minecraft:gamerules/update':
        state.rules[params[0].key] = params[0].value
        return { ...params[0], type: 'boolean' }
    }
    throw [-32601, 'Method not found']
  }

  function answer(text) {
    let request
    try {
      request = JSON.parse(text)
    } catch {
      return { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } }
    }
    const { id, method, params = [] } = request
    calls.push({ method, params })
    try {
      return { jsonrpc: '2.0', id, result: run(method, params) }
    } catch (fault) {
      const [code, message] = Array.isArray(fault) ? fault : [-32603, String(fault)]
      return { jsonrpc: '2.0', id, error: { code, message } }
    }
  }

  const server = createServer((_request, response) => response.writeHead(426).end())
  server.on('upgrade', (request, socket) => {
    socket.on('error', () => socket.destroy())
    const given = Buffer.from(request.headers.authorization ?? '')
    const wanted = Buffer.from(`Bearer ${secret}`)
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
      return
    }
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    sockets.add(socket)
    let bytes = Buffer.alloc(0)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      const { frames, rest } = readFrames(Buffer.concat([bytes, chunk]))
      bytes = rest
      for (const [opcode, content] of frames) {
        if (opcode === 8) socket.end()
        else if (opcode === 1) socket.write(frame(JSON.stringify(answer(content.toString()))))
      }
    })
  })
  const listening = new Promise((resolve) => server.listen(port, host, () => resolve(server.address().port)))
  return {
    listening,
    state,
    calls,
    join(name) {
      state.players.push(whole({ name }))
      notify('players/joined', whole({ name }))
    },
    leave(name) {
      state.players = state.players.filter((player) => player.name !== name)
      notify('players/left', whole({ name }))
    },
    /** Cuts off whoever is connected. */
    drop() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

module.exports = { startManagement }
