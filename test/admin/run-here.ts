/** Runs the admin command line in the process of the test: starting one of its own takes a second each time. */

import { Readable, Writable } from 'node:stream'
import { exitCodeOf, runAdmin } from '../../server/admin/run-admin.ts'
import { reasonLine } from '../../server/run-process.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import type { Ending, Settings } from '../start/run-entry.ts'

/** The result of a command, as of a process with these settings and this standard input. */
export async function runHere(settings: Settings, args: readonly string[], input = ''): Promise<Ending> {
  const [stdout, stderr] = [new Collected(), new Collected()]
  const io = { env: { ...moduleSettings(), ...settings }, stdin: Readable.from([input]), stdout, stderr }
  const code = await runAdmin(args, io).catch((error: unknown) => {
    stderr.write(reasonLine(error))
    return exitCodeOf(error)
  })
  return { code, stdout: stdout.text, stderr: stderr.text }
}

class Collected extends Writable {
  text = ''

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
