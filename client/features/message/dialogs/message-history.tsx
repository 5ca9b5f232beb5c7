/** The versions of a message, the newest first, with the differences of each edit. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { HistorySnapshot } from '../../../../packages/client/src/wire-types.ts'
import { useApp } from '../../../app/app.ts'
import { channelsById } from '../../../store/derived/channels.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { ServerHtml } from '../../../ui/server-html.tsx'
import { dayAndTime } from '../../../ui/day-and-time.ts'
import { topicName } from '../../../store/derived/topic.ts'
import { Waiting } from '../../../ui/waiting.tsx'
import { hydrate } from '../hydrate.ts'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { t } from '../../../texts/texts.ts'

export function MessageHistory({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const call = useCall()
  const versions = useSignal<readonly HistorySnapshot[] | undefined>(undefined)
  useEffect(() => {
    void call.run(async () => {
      const { message_history } = await app.api.call('GET /messages/{message_id}/history', {
        message_id: message.id,
        allow_empty_topic_name: true,
      })
      versions.value = message_history.toReversed()
    })
  }, [message.id])
  return (
    <Dialog title={t('Edit history')} onClose={onClose} isWide>
      <FailedCall call={call} />
      {call.isRunning.value && <Waiting text={t('Loading edit history…')} />}
      <ol class="versions">
        {versions.value?.map((version, index) => (
          <Version key={index} version={version} />
        ))}
      </ol>
    </Dialog>
  )
}

function Version({ version }: { readonly version: HistorySnapshot }) {
  const app = useApp()
  const { user_id: userId, timestamp, content_html_diff: diff, rendered_content: rendered } = version
  const name = userId === null ? undefined : app.users.value.get(userId)?.full_name
  const moves = movesOf(version, (id) => channelsById(app.state.value).get(id)?.channel.name)
  const isEdit = version.prev_content !== undefined
  const did = isEdit ? t('edited') : moves.length > 0 ? t('moved') : t('wrote')
  const prepare = (body: HTMLElement) =>
    hydrate(body, { ownId: app.ownId, ownGroupIds: new Set(), alertWords: [], isMe: false, isVisitor: false })
  return (
    <li>
      <h3>
        <bdi>{name ?? t('Unknown user')}</bdi> {did} <time>{dayAndTime(timestamp)}</time>
      </h3>
      {moves.map((move) => (
        <p key={move} class="moved" dir="auto">
          {move}
        </p>
      ))}
      {(isEdit || moves.length === 0) && (
        <ServerHtml class="rendered" html={diff ?? rendered} prepare={prepare} />
      )}
    </li>
  )
}

function movesOf(
  { topic, prev_topic, stream, prev_stream }: HistorySnapshot,
  channelName: (id: number) => string | undefined,
): readonly string[] {
  const moves: string[] = []
  if (prev_stream !== undefined && stream !== undefined)
    moves.push(
      t('From #{former} to #{present}', {
        former: channelName(prev_stream) ?? t('unknown channel'),
        present: channelName(stream) ?? t('unknown channel'),
      }),
    )
  if (prev_topic !== undefined && prev_topic !== topic)
    moves.push(
      t('From “{former}” to “{present}”', { former: topicName(prev_topic), present: topicName(topic) }),
    )
  return moves
}
