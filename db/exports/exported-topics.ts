/** The topics of one channel and their messages, for pages that people read. */

import type { Message } from '../../server/domain/entities.ts'
import type { ChannelId } from '../../server/domain/ids.ts'
import type { Sql } from '../connection/connect.ts'
import { columns, type Row, toMessage } from '../messages/message-rows.ts'

/** Messages in one read. */
const MESSAGES_PAGE = 500

/** A topic with messages. */
export interface ExportedTopic {
  /** The name in its newest message. */
  readonly topic: string
  readonly messages: number
  /** UNIX seconds. */
  readonly lastAt: number
}

/** The topics of a channel, the one with the newest message first. */
export async function readExportedTopics(sql: Sql, channelId: ChannelId): Promise<ExportedTopic[]> {
  return sql<ExportedTopic[]>`
    select (array_agg(topic order by id desc))[1] as topic, count(*)::int as messages, max(sent_at) as "lastAt"
    from messages where channel_id = ${channelId} group by lower(topic) order by max(id) desc`
}

/** The messages of a topic, the oldest first. */
export async function* readTopicMessages(
  sql: Sql,
  channelId: ChannelId,
  topic: string,
): AsyncGenerator<Message> {
  for (let afterId = 0; ; ) {
    const rows = await sql<Row[]>`
      select ${columns(sql)} from messages m
      where m.channel_id = ${channelId} and lower(m.topic) = lower(${topic}) and m.id > ${afterId}
      order by m.id limit ${MESSAGES_PAGE}`
    for (const row of rows) yield toMessage(row)
    const last = rows.at(-1)
    if (rows.length < MESSAGES_PAGE || !last) return
    afterId = last.id
  }
}
