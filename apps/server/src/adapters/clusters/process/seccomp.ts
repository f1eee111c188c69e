/**
 * The list of system calls that nothing in a sandbox may make, as a program of the kernel's packet filter
 * (`man 2 seccomp`, `struct sock_filter` and `struct seccomp_data` of `linux/filter.h` and `linux/seccomp.h`).
 */
import { constants } from 'node:os'

const { ENOSYS, EPERM } = constants.errno

/** Numbers of `AUDIT_ARCH_*`, and of system calls that differ between processors. */
const processors = {
  x64: {
    audit: 0xc000003e,
    calls: {
      clone: 56,
      unshare: 272,
      ptrace: 101,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      bpf: 321,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      userfaultfd: 323,
      perf_event_open: 298,
      kexec_load: 246,
      kexec_file_load: 320,
      mount: 165,
      umount2: 166,
      pivot_root: 155,
      setns: 308,
      init_module: 175,
      finit_module: 313,
      delete_module: 176,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      syslog: 103,
      acct: 163,
      quotactl: 179,
      settimeofday: 164,
      clock_settime: 227,
      open_by_handle_at: 304,
      fanotify_init: 300,
      lookup_dcookie: 212,
      vhangup: 153,
      iopl: 172,
      ioperm: 173,
    },
    chownCalls: { chown: 92, fchown: 93, lchown: 94, fchownat: 260 },
  },
  arm64: {
    audit: 0xc00000b7,
    calls: {
      clone: 220,
      unshare: 97,
      ptrace: 117,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      bpf: 280,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      userfaultfd: 282,
      perf_event_open: 241,
      kexec_load: 104,
      kexec_file_load: 294,
      mount: 40,
      umount2: 39,
      pivot_root: 41,
      setns: 268,
      init_module: 105,
      finit_module: 273,
      delete_module: 106,
      swapon: 224,
      swapoff: 225,
      reboot: 142,
      syslog: 116,
      acct: 89,
      quotactl: 60,
      settimeofday: 170,
      clock_settime: 112,
      open_by_handle_at: 265,
      fanotify_init: 262,
      lookup_dcookie: 18,
      vhangup: 58,
    },
    chownCalls: { fchown: 55, fchownat: 54 },
  },
} as const

/** Calls that are too new to have different numbers. */
const commonCalls = {
  pidfd_getfd: 438,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  mount_setattr: 442,
  quotactl_fd: 443,
  open_tree_attr: 467,
}
/** Answered like by a kernel that is too old for them: libraries then go on without. */
const unknownCalls = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 }

/** `CLONE_NEW*`: time, mount, cgroup, uts, ipc, user, pid and network. */
const NAMESPACES = 0x80 | 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
/** Numbers of the ABI of 64-bit programs with 32-bit pointers, which is another way to all calls. */
const X32 = 0x40000000

// Where `struct seccomp_data` holds what is looked at; of the first argument the low half, on a little-endian machine.
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16

const LOAD = 0x20
const IF_EQUAL = 0x15
const IF_AT_LEAST = 0x35
const IF_ANY_BIT = 0x45
const RETURN = 0x06
const ALLOW = 0x7fff0000
const refuse = (errno: number) => 0x00050000 | errno

type Outcome = 'allow' | 'forbidden' | 'unknown' | 'namespaces'
type Instruction = { code: number; value: number; yes?: Outcome; no?: Outcome }

export type Processor = keyof typeof processors

/** This machine's kind of processor; undefined when there is no list for it. */
export const findProcessor = (): Processor | undefined =>
  (Object.keys(processors) as Processor[]).find((name) => name === process.arch)

/** Names and numbers of the calls that are refused whatever their arguments are. */
export function refusedCalls(processor: Processor): Record<string, number> {
  const { clone: _, unshare: __, ...calls } = processors[processor].calls
  return { ...calls, ...commonCalls, ...unknownCalls }
}

/**
 * The program as bubblewrap reads it.
 * @param forbidsChown whether changing a file's owner is refused with EPERM. A backup made in a container names an owner
 *   that the sandbox has no number for; the kernel answers EINVAL, on which restic fails, while it ignores EPERM.
 */
export function seccompProgram(processor: Processor, { forbidsChown = false } = {}): Buffer {
  const { audit, calls, chownCalls } = processors[processor]
  const refused: Record<string, number> = { ...refusedCalls(processor), ...(forbidsChown ? chownCalls : {}) }
  const unknown: number[] = Object.values(unknownCalls)
  const instructions: Instruction[] = [
    { code: LOAD, value: ARCHITECTURE },
    { code: IF_EQUAL, value: audit, no: 'unknown' },
    { code: LOAD, value: NUMBER },
    ...(processor === 'x64' ? [{ code: IF_AT_LEAST, value: X32, yes: 'unknown' as const }] : []),
    ...Object.values(refused).map((value): Instruction => ({
      code: IF_EQUAL,
      value,
      yes: unknown.includes(value) ? 'unknown' : 'forbidden',
    })),
    { code: IF_EQUAL, value: calls.clone, yes: 'namespaces' },
    { code: IF_EQUAL, value: calls.unshare, yes: 'namespaces', no: 'allow' },
  ]
  // The ends, to which everything above jumps forward.
  const ends: Record<Outcome, number> = { namespaces: 0, allow: 2, forbidden: 3, unknown: 4 }
  const firstEnd = instructions.length
  instructions.push(
    { code: LOAD, value: FIRST_ARGUMENT },
    { code: IF_ANY_BIT, value: NAMESPACES, yes: 'forbidden', no: 'allow' },
    { code: RETURN, value: ALLOW },
    { code: RETURN, value: refuse(EPERM) },
    { code: RETURN, value: refuse(ENOSYS) },
  )
  const program = Buffer.alloc(instructions.length * 8)
  for (const [index, { code, value, yes, no }] of instructions.entries()) {
    const jump = (to: Outcome | undefined) => (to === undefined ? 0 : firstEnd + ends[to] - index - 1)
    program.writeUInt16LE(code, index * 8)
    program.writeUInt8(jump(yes), index * 8 + 2)
    program.writeUInt8(jump(no), index * 8 + 3)
    program.writeUInt32LE(value, index * 8 + 4)
  }
  return program
}
