/** Writes the class of a small plugin for Bukkit: it answers commands with a text, and does nothing else. */

type Constant = { tag: number; bytes: Buffer }

const u1 = (value: number) => Buffer.from([value])
const u2 = (value: number) => Buffer.from([value >> 8, value & 0xff])
const u4 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** The pool of constants that all of a class refers to, each of them once. */
function createPool() {
  const constants: Constant[] = []
  const places = new Map<string, number>()
  const add = (tag: number, bytes: Buffer): number => {
    const key = `${tag} ${bytes.toString('latin1')}`
    const known = places.get(key)
    if (known !== undefined) return known
    constants.push({ tag, bytes })
    places.set(key, constants.length)
    return constants.length
  }
  const text = (value: string) => {
    const bytes = Buffer.from(value)
    return add(1, Buffer.concat([u2(bytes.length), bytes]))
  }
  const classOf = (name: string) => add(7, u2(text(name)))
  const nameAndType = (name: string, type: string) => add(12, Buffer.concat([u2(text(name)), u2(text(type))]))
  return {
    text,
    classOf,
    string: (value: string) => add(8, u2(text(value))),
    method: (owner: string, name: string, type: string) =>
      add(10, Buffer.concat([u2(classOf(owner)), u2(nameAndType(name, type))])),
    interfaceMethod: (owner: string, name: string, type: string) =>
      add(11, Buffer.concat([u2(classOf(owner)), u2(nameAndType(name, type))])),
    write: () =>
      Buffer.concat([u2(constants.length + 1), ...constants.map(({ tag, bytes }) => Buffer.concat([u1(tag), bytes]))]),
  }
}

const plugin = 'org/bukkit/plugin/java/JavaPlugin'
const sender = 'org/bukkit/command/CommandSender'
const onCommand = `(L${sender};Lorg/bukkit/command/Command;Ljava/lang/String;[Ljava/lang/String;)Z`

/**
 * `class NAME extends JavaPlugin { boolean onCommand(…) { sender.sendMessage(line); …; return true } }`
 * @param name with slashes, such as `wakestone/samples/Rules`
 */
export function writeAnsweringPlugin(name: string, lines: readonly string[]): Buffer {
  const pool = createPool()
  const code = (bytes: Buffer, { stack, locals }: { stack: number; locals: number }) => {
    const body = Buffer.concat([u2(stack), u2(locals), u4(bytes.length), bytes, u2(0), u2(0)])
    return Buffer.concat([u2(1), u2(pool.text('Code')), u4(body.length), body])
  }
  const method = (named: string, type: string, written: Buffer) =>
    Buffer.concat([u2(0x0001), u2(pool.text(named)), u2(pool.text(type)), written])
  // aload_0, invokespecial JavaPlugin.<init>, return
  const begin = Buffer.concat([u1(0x2a), u1(0xb7), u2(pool.method(plugin, '<init>', '()V')), u1(0xb1)])
  const say = pool.interfaceMethod(sender, 'sendMessage', '(Ljava/lang/String;)V')
  // aload_1, ldc_w line, invokeinterface sendMessage with two values; in the end iconst_1, ireturn
  const answer = Buffer.concat([
    ...lines.map((line) => Buffer.concat([u1(0x2b), u1(0x13), u2(pool.string(line)), u1(0xb9), u2(say), u1(2), u1(0)])),
    u1(0x04),
    u1(0xac),
  ])
  const methods = [
    method('<init>', '()V', code(begin, { stack: 1, locals: 1 })),
    method('onCommand', onCommand, code(answer, { stack: 2, locals: 5 })),
  ]
  const [own, above] = [pool.classOf(name), pool.classOf(plugin)]
  return Buffer.concat([
    u4(0xcafebabe),
    u2(0),
    u2(52), // Java 8
    pool.write(),
    u2(0x0021),
    u2(own),
    u2(above),
    u2(0),
    u2(0),
    u2(methods.length),
    ...methods,
    u2(0),
  ])
}
