/** The memory of other processes, as the system sees it. */

import { readdirSync, readFileSync } from 'node:fs'

/** Resident bytes. Linux only, like the server. */
export function readRss(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  if (kilobytes === undefined) throw new Error(`process ${pid} has no memory`)
  return Number(kilobytes) * 1024
}

/** A line of `/proc/PID/smaps` that opens a mapping, with the file's offset, device and number, and its path. */
const MAPPING = /^[\da-f]+-[\da-f]+ \S+ ([\da-f]+ \S+ \d+)\s*(.*)$/

interface Mapping {
  /** The mapped file with its part; undefined for other memory. */
  readonly file: string | undefined
  readonly sizes: Record<string, number>
}

/**
 * Bytes of a process and its children, by program. Memory is counted in proportion among the processes that share it
 * (PSS), but the unchanged pages of a file once and wholly: others on this machine may run the same programs, and would
 * hide a part.
 */
export function readTreeMemory(pid: number): Map<string, number> {
  const bytes = new Map<string, number>()
  const add = (program: string, kilobytes: number) =>
    bytes.set(program, (bytes.get(program) ?? 0) + 1_024 * kilobytes)
  const files = new Map<string, { readonly program: string; readonly kilobytes: number }>()
  for (const one of listTree(pid)) {
    const program = readText(`/proc/${one}/comm`).trim()
    for (const { file, sizes } of readMappings(one)) {
      const { Pss = 0, Rss = 0, Anonymous = 0 } = sizes
      if (file === undefined || Anonymous > 0) add(program, Pss)
      else if (Rss >= (files.get(file)?.kilobytes ?? 0)) files.set(file, { program, kilobytes: Rss })
    }
  }
  for (const { program, kilobytes } of files.values()) add(program, kilobytes)
  return bytes
}

/** A process, and all that descend from it. */
export function listTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : ''
    if (stat === '') continue
    // The name before it may contain spaces.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const found = [pid]
  for (const one of found) found.push(...(children.get(one) ?? []))
  return found
}

function readMappings(pid: number): Mapping[] {
  const mappings: Mapping[] = []
  for (const line of readText(`/proc/${pid}/smaps`).split('\n')) {
    const opening = MAPPING.exec(line)
    if (opening) {
      const isFile = opening[2]?.startsWith('/') && !opening[2].startsWith('/dev/') // Shared memory is no file.
      mappings.push({ file: isFile ? opening[1] : undefined, sizes: {} })
      continue
    }
    const size = /^(\w+):\s+(\d+) kB$/.exec(line)
    const last = mappings.at(-1)
    if (size && last) last.sizes[size[1] as string] = Number(size[2])
  }
  return mappings
}

/** Empty if the process ended meanwhile. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return ''
    throw error
  }
}
