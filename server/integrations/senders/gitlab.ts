/** GitLab: projects and groups. */

import { type Commit, describePush, did, numbered, shortRef, topicOf } from '../git.ts'
import type { Integration, Posting } from '../integration.ts'
import { bold, code, link, plain } from '../markdown.ts'
import { firstOf, listAt, neededObject, neededText, numberAt, textAt } from '../payload.ts'
import { tokenHeader } from '../signatures.ts'

type ReadEvent = (payload: unknown) => Omit<Posting, 'event'> | undefined

const projectOf = (payload: unknown) =>
  firstOf(textAt(payload, 'project', 'name'), textAt(payload, 'repository', 'name')) ||
  neededText(payload, 'project_name')
const projectUrl = (payload: unknown) =>
  firstOf(textAt(payload, 'project', 'web_url'), textAt(payload, 'repository', 'homepage'))
const userOf = (payload: unknown) =>
  firstOf(
    textAt(payload, 'user', 'name'),
    textAt(payload, 'user_name'),
    textAt(payload, 'user', 'username'),
    'Somebody',
  )
const NO_COMMIT = /^0+$/

const readPush: ReadEvent = (payload) => {
  const branch = shortRef(neededText(payload, 'ref'))
  const [before, after] = [textAt(payload, 'before'), textAt(payload, 'after')]
  const commits = listAt(payload, 'commits').map(
    (commit): Commit => ({
      id: firstOf(textAt(commit, 'id'), 'unknown'),
      url: textAt(commit, 'url'),
      message: firstOf(textAt(commit, 'message'), textAt(commit, 'title')),
    }),
  )
  const kind = NO_COMMIT.test(after) ? 'deleted' : NO_COMMIT.test(before) ? 'created' : 'pushed'
  const home = projectUrl(payload)
  return {
    topic: `${projectOf(payload)} / ${branch}`,
    content: describePush({
      who: userOf(payload),
      branch,
      url:
        kind === 'pushed' && home !== ''
          ? `${home}/-/compare/${before}...${after}`
          : `${home}/-/commits/${branch}`,
      // GitLab has the newest last, too.
      commits,
      total:
        commits.length === 0 ? 0 : Math.max(commits.length, numberAt(payload, 'total_commits_count') ?? 0),
      kind,
    }),
  }
}

const readTag: ReadEvent = (payload) => {
  const tag = shortRef(neededText(payload, 'ref'))
  const verb = NO_COMMIT.test(textAt(payload, 'after')) ? 'removed' : 'pushed'
  return { topic: projectOf(payload), content: did(userOf(payload), `${verb} the tag ${code(tag)}`) }
}

const VERBS = new Map([
  ['open', 'opened'],
  ['close', 'closed'],
  ['reopen', 'reopened'],
  ['update', 'updated'],
  ['merge', 'merged'],
  ['approved', 'approved'],
  ['unapproved', 'unapproved'],
  ['approval', 'approved'],
  ['unapproval', 'unapproved'],
])

const readItem =
  (kind: 'issue' | 'MR', sign: '#' | '!'): ReadEvent =>
  (payload) => {
    const item = neededObject(payload, 'object_attributes')
    const action = textAt(item, 'action')
    const verb = VERBS.get(action)
    if (verb === undefined) return undefined
    const id = `${sign}${neededText(item, 'iid')}`
    const title = textAt(item, 'title')
    const [from, to] = [textAt(item, 'source_branch'), textAt(item, 'target_branch')]
    const branches = action === 'open' && from !== '' && to !== '' ? ` from ${code(from)} to ${code(to)}` : ''
    const names = listAt(payload, 'assignees')
      .map((one) => textAt(one, 'name'))
      .filter((name) => name !== '')
    const assigned = action === 'open' && names.length > 0 ? `, assigned to ${plain(names.join(', '))}` : ''
    const text = action === 'open' ? textAt(item, 'description') : ''
    return {
      topic: topicOf(projectOf(payload), kind, id, title),
      content: did(
        userOf(payload),
        `${verb} ${numbered(kind, id, title, textAt(item, 'url'))}${branches}${assigned}`,
        text,
      ),
    }
  }

const readNote: ReadEvent = (payload) => {
  const note = neededObject(payload, 'object_attributes')
  const verb = link(
    textAt(note, 'action') === 'update' ? 'edited a comment' : 'commented',
    textAt(note, 'url'),
  )
  const target = targetOf(payload)
  const content = did(userOf(payload), `${verb} on ${target.named}`, textAt(note, 'note'))
  return { topic: target.topic, content }
}

/** The thing that a note is about. */
function targetOf(payload: unknown): { readonly topic: string; readonly named: string } {
  const project = projectOf(payload)
  for (const [field, kind, sign] of [
    ['merge_request', 'MR', '!'],
    ['issue', 'issue', '#'],
    ['snippet', 'snippet', '$'],
  ] as const) {
    const id = textAt(payload, field, field === 'snippet' ? 'id' : 'iid')
    if (id === '') continue
    const title = textAt(payload, field, 'title')
    const name = `${sign}${id}`
    return {
      topic: topicOf(project, kind, name, title),
      named: `${kind} ${plain(name)} ${bold(title)}`.trim(),
    }
  }
  const commit = neededText(payload, 'commit', 'id').slice(0, 11)
  return { topic: project, named: `commit ${link(commit, textAt(payload, 'commit', 'url'))}` }
}

const readWiki: ReadEvent = (payload) => {
  const page = neededObject(payload, 'object_attributes')
  const verbs = new Map([
    ['create', 'created'],
    ['update', 'updated'],
    ['delete', 'deleted'],
  ])
  const verb = verbs.get(textAt(page, 'action'))
  if (verb === undefined) return undefined
  const what = `${verb} the wiki page ${link(textAt(page, 'title'), textAt(page, 'url'))}`
  return { topic: projectOf(payload), content: did(userOf(payload), what, textAt(page, 'message')) }
}

/** Results that people want to know of; the states before are too many. */
const RESULTS = new Map([
  ['success', '✅ succeeded'],
  ['failed', '❌ failed'],
  ['canceled', '⚪ was cancelled'],
])

const readPipeline: ReadEvent = (payload) => {
  const pipeline = neededObject(payload, 'object_attributes')
  const result = RESULTS.get(textAt(pipeline, 'status'))
  if (result === undefined) return undefined
  const id = neededText(pipeline, 'id')
  const branch = textAt(pipeline, 'ref')
  const url = firstOf(textAt(pipeline, 'url'), `${projectUrl(payload)}/-/pipelines/${id}`)
  const failed = listAt(payload, 'builds').filter((build) => textAt(build, 'status') === 'failed')
  const jobs = failed
    .map((build) => code(textAt(build, 'name')))
    .filter((name) => name !== '')
    .slice(0, 10)
  const why = jobs.length === 0 ? '' : ` Failed jobs: ${jobs.join(', ')}.`
  const place = branch === '' ? '' : ` on ${code(branch)}`
  return {
    topic: branch === '' ? projectOf(payload) : `${projectOf(payload)} / ${branch}`,
    content: `${link(`Pipeline #${id}`, url)} ${result}${place}.${why}`,
  }
}

const readJob: ReadEvent = (payload) => {
  const result = RESULTS.get(textAt(payload, 'build_status'))
  if (result === undefined) return undefined
  const [name, id, branch] = [
    neededText(payload, 'build_name'),
    textAt(payload, 'build_id'),
    textAt(payload, 'ref'),
  ]
  const content = `The job ${link(name, `${projectUrl(payload)}/-/jobs/${id}`)} ${result}${branch === '' ? '' : ` on ${code(branch)}`}.`
  return { topic: branch === '' ? projectOf(payload) : `${projectOf(payload)} / ${branch}`, content }
}

const readRelease: ReadEvent = (payload) => {
  const verb = new Map([
    ['create', 'published'],
    ['update', 'updated'],
    ['delete', 'deleted'],
  ]).get(textAt(payload, 'action'))
  if (verb === undefined) return undefined
  const name = firstOf(textAt(payload, 'name'), neededText(payload, 'tag'))
  const content = did(
    'The project',
    `${verb} the release ${link(name, textAt(payload, 'url'))}`,
    textAt(payload, 'description'),
  )
  return { topic: projectOf(payload), content }
}

const EVENTS: ReadonlyMap<string, ReadEvent> = new Map([
  ['push', readPush],
  ['tag_push', readTag],
  ['issue', readItem('issue', '#')],
  ['merge_request', readItem('MR', '!')],
  ['note', readNote],
  ['wiki_page', readWiki],
  ['pipeline', readPipeline],
  ['build', readJob],
  ['release', readRelease],
])

export const gitlab: Integration = {
  name: 'gitlab',
  title: 'GitLab',
  takes: 'json',
  events: [...EVENTS.keys()],
  headers: ['idempotency-key', 'x-gitlab-event-uuid'],
  signature: tokenHeader('x-gitlab-token'),
  deliveryId: ({ header }) => firstOf(header('idempotency-key'), header('x-gitlab-event-uuid')),
  read({ payload }) {
    // Confidential issues and notes have the same kind.
    const event = neededText(payload, 'object_kind')
    const found = EVENTS.get(event)?.(payload)
    return found ? { event, ...found } : { unsupported: event }
  },
}
