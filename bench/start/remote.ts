/** Helper processes: load and limits run outside the measuring process, which calls them by name. */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** A call that takes longer has failed. */
const CALL_MS_MAX = 180_000

/** Each is typed where its helper declares it. */
type Calls = Record<string, (...args: never[]) => unknown>
type Answer = { readonly id: number; readonly result?: unknown; readonly error?: string }

/** A running helper process. */
export interface Remote<C extends Calls> {
  readonly pid: number
  call<Name extends keyof C & string>(
    name: Name,
    ...args: Parameters<C[Name]>
  ): Promise<Awaited<ReturnType<C[Name]>>>
  close(): Promise<void>
}

/** Starts a file that calls `serveCalls`. It ends with this process. */
export function startRemote<C extends Calls>(file: string, nodeFlags: readonly string[] = []): Remote<C> {
  const child = fork(file, { serialization: 'advanced', execArgv: [...nodeFlags] })
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  let count = 0
  child.on('message', ({ id, result, error }: Answer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) call?.resolve(result as never)
    else call?.reject(new Error(error))
  })
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values())
      reject(new Error(`a helper process ended early (${signal ?? code})`))
  })
  return {
    pid: child.pid as number,
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        const id = count++
        const timer = setTimeout(() => reject(new Error(`${name} took over ${CALL_MS_MAX} ms`)), CALL_MS_MAX)
        const settle =
          <Value>(done: (value: Value) => void) =>
          (value: Value) => {
            clearTimeout(timer)
            done(value)
          }
        waiting.set(id, { resolve: settle(resolve), reject: settle(reject) })
        child.send({ id, name, args })
      }),
    close: () => end(child),
  }
}

/** Answers the calls of the parent process until it exits. */
export function serveCalls(calls: Calls): void {
  process.on('message', ({ id, name, args }: { id: number; name: string; args: unknown[] }) => {
    void (async () => {
      try {
        process.send?.({ id, result: await calls[name]?.(...(args as never[])) } satisfies Answer)
      } catch (error) {
        process.send?.({ id, error: error instanceof Error ? error.message : String(error) } satisfies Answer)
      }
    })()
  })
  process.once('disconnect', () => process.exit())
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.disconnect()
  const killer = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exited
  clearTimeout(killer)
}
