/**
 * Runs a command, such as a nightly backup, and posts how it ended by an incoming webhook.
 *
 *     PARLEY_WEBHOOK='http://127.0.0.1:8080/api/v1/external/text?api_key=…&stream=jobs' node job-report.ts backup.sh --all
 *
 * Give a bot a key of the scope "webhooks" (Settings, Bots): the address then opens nothing but posting, and ends by itself
 * if the key has an end.
 */

import { spawn } from 'node:child_process'

const { PARLEY_WEBHOOK: address = '' } = process.env
const [command, ...args] = process.argv.slice(2)
if (address === '' || command === undefined)
  throw new Error('set PARLEY_WEBHOOK, and name the command to run')
/** The last characters of the output are shown: they say why it failed. */
const SHOWN_LENGTH_MAX = 2_000
/** A backup is not held up by a chat that does not answer. */
const ANSWER_MS_MAX = 30_000

const startMs = performance.now()
let output = ''
const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
for (const stream of [child.stdout, child.stderr])
  stream.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk)
    output = (output + chunk.toString()).slice(-SHOWN_LENGTH_MAX)
  })
const code = await new Promise<number>((resolve) => {
  child.once('error', (error) => {
    output += error.message
    resolve(127)
  })
  child.once('close', (exit) => resolve(exit ?? 1))
})

const seconds = ((performance.now() - startMs) / 1_000).toFixed(1)
const fence = '`'.repeat(Math.max(3, ...[...output.matchAll(/`+/g)].map(([run]) => run.length + 1)))
const shown = code === 0 || output.trim() === '' ? '' : `\n${fence}text\n${output.trimEnd()}\n${fence}`
const text = `\`${command}\` ${code === 0 ? 'succeeded' : `failed with ${code}`} after ${seconds} s.${shown}`
const target = new URL(address)
if (!target.searchParams.has('topic')) target.searchParams.set('topic', command)
const answer = await fetch(target, {
  method: 'POST',
  headers: { 'content-type': 'text/plain' },
  body: text,
  signal: AbortSignal.timeout(ANSWER_MS_MAX),
})
if (!answer.ok) console.error(`the report was refused with ${answer.status}: ${await answer.text()}`)
// A timer or a script that runs this sees how the command ended.
process.exitCode = code
