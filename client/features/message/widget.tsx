/** A poll or a to-do list, in which all readers of the message take part. */

import { useComputed, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { type App, useApp } from '../../app/app.ts'
import { isOpen } from '../../store/derived/message-permissions.ts'
import { nextNumber, type PollOption, type Task, widgetOf } from '../../store/messages/widgets.ts'
import { useSavedValue } from '../../ui/saving.tsx'
import { showError } from '../../ui/toasts.tsx'
import { locale, t } from '../../texts/texts.ts'

/** Characters of an option or a task; the whole entry has a limit of the server's. */
const TEXT_LENGTH_MAX = 500

export function Widget({ message }: { readonly message: Message }) {
  const app = useApp()
  const isClosed = useComputed(() => !isOpen(app.state.value, message)).value
  const widget = widgetOf(message)
  if (!widget) return <p class="quiet">{t('This app can’t show this kind of message.')}</p>
  const isAuthor = message.sender_id === app.ownId
  const act = (entry: object) => takePart(app, message, entry)
  const number = () => nextNumber(message, app.ownId)
  if (widget.type === 'poll')
    return (
      <section class="widget" aria-label={t('Poll: {question}', { question: widget.question })}>
        <Title
          text={widget.question}
          placeholder={t('Poll')}
          label={t('Question')}
          canChange={isAuthor && !isClosed}
          onSave={(question) => act({ type: 'question', question })}
        />
        <ul class="poll">
          {widget.options.map((option) => (
            <Option
              key={option.key}
              option={option}
              most={Math.max(1, ...widget.options.map(({ voterIds }) => voterIds.length))}
              isClosed={isClosed}
              onVote={(vote) => act({ type: 'vote', key: option.key, vote })}
            />
          ))}
        </ul>
        {!isClosed && (
          <AddForm
            label={t('New option')}
            button={t('Add option')}
            onAdd={(option) => act({ type: 'new_option', idx: number(), option })}
          />
        )}
      </section>
    )
  return (
    <section class="widget" aria-label={t('To-do list: {title}', { title: widget.title })}>
      <Title
        text={widget.title}
        placeholder={t('To do')}
        label={t('Title')}
        canChange={isAuthor && !isClosed}
        onSave={(title) => act({ type: 'new_task_list_title', title })}
      />
      <ul class="todo">
        {widget.tasks.map((task) => (
          <TaskLine
            key={task.key}
            task={task}
            isClosed={isClosed}
            onStrike={() => act({ type: 'strike', key: task.key })}
          />
        ))}
      </ul>
      {!isClosed && (
        <AddForm
          label={t('New task')}
          button={t('Add task')}
          onAdd={(task) => act({ type: 'new_task', key: number(), task, desc: '', completed: false })}
        />
      )}
    </section>
  )
}

/** Resolves to whether the server took it. */
async function takePart(app: App, message: Message, entry: object): Promise<boolean> {
  try {
    await app.api.call('POST /submessage', {
      message_id: message.id,
      msg_type: 'widget',
      content: JSON.stringify(entry),
    })
    return true
  } catch (error) {
    showError(error)
    return false
  }
}

const LIST = new Intl.ListFormat(locale, { type: 'conjunction' })
/** Names in a title; the others are counted. */
const NAMES_MAX = 12

interface OptionProps {
  readonly option: PollOption
  /** The votes of the option with the most. */
  readonly most: number
  readonly isClosed: boolean
  readonly onVote: (vote: 1 | -1) => Promise<boolean>
}

function Option({ option: { text, voterIds }, most, isClosed, onVote }: OptionProps) {
  const app = useApp()
  const isOwn = voterIds.includes(app.ownId)
  const names = voterIds
    .slice(0, NAMES_MAX)
    .map((id) => (id === app.ownId ? t('you') : (app.users.value.get(id)?.full_name ?? t('Unknown user'))))
  const others = voterIds.length - names.length
  // Visitors know how many voted, not who.
  const who = app.isVisitor
    ? ''
    : LIST.format(others > 0 ? [...names, t('{count} others', { count: others })] : names)
  const count = t('{count, plural, one {one vote} other {# votes}}', { count: voterIds.length })
  return (
    <li>
      <button
        type="button"
        class={isOwn ? 'option own' : 'option'}
        style={{ '--part': `${(100 * voterIds.length) / most}%` }}
        title={who}
        aria-pressed={isOwn}
        disabled={isClosed}
        onClick={() => void onVote(isOwn ? -1 : 1)}
      >
        <span dir="auto">{text}</span>
        <b aria-hidden="true">{voterIds.length}</b>
        <span class="hidden">{who === '' ? count : `${count}, ${who}`}</span>
      </button>
    </li>
  )
}

interface TaskLineProps {
  readonly task: Task
  readonly isClosed: boolean
  readonly onStrike: () => Promise<boolean>
}

function TaskLine({ task: { text, description, isDone }, isClosed, onStrike }: TaskLineProps) {
  const { shown, choose } = useSavedValue(isDone, async () => {
    // The problem was said.
    if (!(await onStrike())) throw new Error('the server refused it')
  })
  return (
    <li>
      <label class={shown ? 'done' : ''}>
        <input
          type="checkbox"
          checked={shown}
          disabled={isClosed}
          onChange={(event) => void choose(event.currentTarget.checked)}
        />
        <span dir="auto">{text}</span>
        {description !== '' && <small dir="auto">{description}</small>}
      </label>
    </li>
  )
}

interface TitleProps {
  readonly text: string
  /** Shown without a text. */
  readonly placeholder: string
  readonly label: string
  readonly canChange: boolean
  readonly onSave: (text: string) => Promise<boolean>
}

function Title({ text, placeholder, label, canChange, onSave }: TitleProps) {
  const edited = useSignal<string | undefined>(undefined)
  const draft = edited.value
  if (draft === undefined)
    return (
      <div class="widget-title">
        <b dir="auto">{text === '' ? placeholder : text}</b>
        {canChange && (
          <button type="button" class="mark-text" onClick={() => (edited.value = text)}>
            {t('Edit')}
          </button>
        )}
      </div>
    )
  const save = async () => {
    const isDone = draft === text || (await onSave(draft))
    if (isDone) edited.value = undefined
  }
  return (
    <form
      class="widget-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <input
        aria-label={label}
        dir="auto"
        maxLength={TEXT_LENGTH_MAX}
        value={draft}
        onInput={(event) => (edited.value = event.currentTarget.value)}
      />
      <button class="button small">{t('Save')}</button>
      <button type="button" class="button small" onClick={() => (edited.value = undefined)}>
        {t('Cancel')}
      </button>
    </form>
  )
}

interface AddFormProps {
  readonly label: string
  readonly button: string
  readonly onAdd: (text: string) => Promise<boolean>
}

function AddForm({ label, button, onAdd }: AddFormProps) {
  const isOpen = useSignal(false)
  const text = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [isOpen.value])
  const add = async () => {
    const written = text.value.trim()
    if (written !== '' && (await onAdd(written))) text.value = ''
  }
  if (!isOpen.value)
    return (
      <button type="button" class="widget-more" onClick={() => (isOpen.value = true)}>
        {button}
      </button>
    )
  return (
    <form
      class="widget-form"
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <input
        ref={field}
        aria-label={label}
        placeholder={label}
        dir="auto"
        maxLength={TEXT_LENGTH_MAX}
        value={text.value}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <button class="button small" disabled={text.value.trim() === ''}>
        {button}
      </button>
    </form>
  )
}
