/** A process in which other systems post webhooks at a steady rate, as Slack's form of an alert. */

import { serveCalls } from '../start/remote.ts'
import { HttpConnection } from './http-connection.ts'
import { repeatSteadily } from './repeat-steadily.ts'

/** Mostly enough for the answers that are awaited at once: each connection waits for one. */
const CONNECTIONS = 16

/** The addresses of the webhooks, a sender for each. */
export interface WebhookTarget {
  readonly port: number
  /** Paths with their queries. */
  readonly paths: readonly string[]
}

/** The webhooks of one turn. */
export interface PostedWebhooks {
  /** The number at the beginning of each message. */
  readonly marks: readonly number[]
  readonly latenciesMs: readonly number[]
}

let target: WebhookTarget
let nextMark = 1
const idle: HttpConnection[] = []

const calls = {
  async aim(given: WebhookTarget): Promise<void> {
    target = given
    for (let count = 0; count < CONNECTIONS; count++) idle.push(await HttpConnection.open(given.port))
  },

  /** Posts this many; a latency counts from the due time. Rejects if one is not answered as Slack would. */
  async post(wanted: { count: number; perSecond: number }): Promise<PostedWebhooks> {
    const marks: number[] = []
    const latenciesMs = await repeatSteadily(wanted, async (number) => {
      const { port, paths } = target
      const mark = nextMark++
      const connection = idle.pop() ?? (await HttpConnection.open(port))
      const { status, body } = await connection.ask(makeRequest(paths[number % paths.length] ?? '', mark))
      idle.push(connection)
      if (status !== 200 || body !== 'ok') throw new Error(`a webhook was answered with ${status}: ${body}`)
      marks.push(mark)
    })
    return { marks, latenciesMs }
  },
}

function makeRequest(path: string, mark: number): string {
  const body = JSON.stringify({
    username: 'Alertmanager',
    channel: '#alerts',
    text: `${mark} *Load of web${mark % 40}* is high: <https://grafana.example.com/d/${mark}|dashboard>`,
    attachments: [
      {
        color: 'danger',
        title: `[FIRING:1] HighLoad (web${mark % 40}:9100 node critical)`,
        title_link: 'http://alertmanager.example.com/#/alerts',
        text: 'Load has been above 8 for 5 minutes.',
        fields: [
          { title: 'job', value: 'node', short: true },
          { title: 'severity', value: 'critical', short: true },
        ],
      },
    ],
  })
  return (
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `Content-Length: ${body.length}\r\n\r\n${body}`
  )
}

export type WebhookLoad = typeof calls
serveCalls(calls)
