/** The events of GitHub, and of Gitea and Forgejo, which send nearly the same payloads. */

import { type Commit, describePush, did, firstLine, numbered, shortRef, topicOf } from './git.ts'
import type { Posting } from './integration.ts'
import { bold, code, link, plain } from './markdown.ts'
import { at, firstOf, listAt, neededObject, neededText, numberAt, textAt } from './payload.ts'

/** The message of an event; undefined if its action is not posted. */
export type ReadEvent = (payload: unknown) => Omit<Posting, 'event'> | undefined

const repositoryOf = (payload: unknown) => neededText(payload, 'repository', 'name')
const repositoryUrl = (payload: unknown) =>
  firstOf(textAt(payload, 'repository', 'html_url'), textAt(payload, 'repository', 'url'))
const senderOf = (payload: unknown) =>
  firstOf(textAt(payload, 'sender', 'login'), textAt(payload, 'sender', 'username'), 'Somebody')
const NO_COMMIT = /^0+$/

const readPush: ReadEvent = (payload) => {
  const repository = repositoryOf(payload)
  const ref = neededText(payload, 'ref')
  const name = shortRef(ref)
  const who = firstOf(
    textAt(payload, 'pusher', 'name'),
    textAt(payload, 'pusher', 'login'),
    textAt(payload, 'pusher', 'username'),
    senderOf(payload),
  )
  const isDeleted = at(payload, 'deleted') === true || NO_COMMIT.test(textAt(payload, 'after'))
  if (ref.startsWith('refs/tags/')) {
    const verb = isDeleted ? 'removed' : 'pushed'
    return { topic: repository, content: `${plain(who)} ${verb} the tag ${code(name)}.` }
  }
  const commits = listAt(payload, 'commits').map(readCommit)
  const isNew = at(payload, 'created') === true || NO_COMMIT.test(textAt(payload, 'before'))
  const kind = isDeleted
    ? 'deleted'
    : isNew
      ? 'created'
      : at(payload, 'forced') === true
        ? 'forced'
        : 'pushed'
  const head = at(payload, 'head_commit')
  const shown =
    commits.length === 0 && typeof head === 'object' && head !== null ? [readCommit(head)] : commits
  return {
    topic: `${repository} / ${name}`,
    content: describePush({
      who,
      branch: name,
      url: firstOf(textAt(payload, 'compare'), textAt(payload, 'compare_url'), repositoryUrl(payload)),
      commits: shown,
      total: commits.length === 0 ? 0 : Math.max(commits.length, numberAt(payload, 'total_commits') ?? 0),
      kind,
    }),
  }
}

function readCommit(commit: unknown): Commit {
  return {
    id: firstOf(textAt(commit, 'id'), 'unknown'),
    url: textAt(commit, 'url'),
    message: textAt(commit, 'message'),
  }
}

/** A branch or a tag appears or disappears. */
const readRef =
  (verb: string): ReadEvent =>
  (payload) => {
    const repository = repositoryOf(payload)
    const kind = firstOf(textAt(payload, 'ref_type'), 'reference')
    const name = shortRef(textAt(payload, 'ref'))
    if (name === '') return { topic: repository, content: did(senderOf(payload), `${verb} the repository`) }
    const topic = kind === 'branch' ? `${repository} / ${name}` : repository
    return { topic, content: did(senderOf(payload), `${verb} the ${plain(kind)} ${code(name)}`) }
  }

/** How an issue or a pull request is called, with its topic. */
function readNumbered(payload: unknown, field: 'issue' | 'pull_request' | 'discussion') {
  const item = neededObject(payload, field)
  const isPull = field === 'pull_request' || textAt(item, 'pull_request', 'html_url') !== ''
  const kind = isPull ? 'PR' : field === 'discussion' ? 'discussion' : 'issue'
  const id = `#${neededText(item, 'number')}`
  const title = textAt(item, 'title')
  const url = firstOf(textAt(item, 'html_url'), textAt(item, 'url'))
  return {
    item,
    topic: topicOf(repositoryOf(payload), kind, id, title),
    named: numbered(kind, id, title, url),
  }
}

/** Actions whose name is the verb, and others with theirs. */
const OWN_VERBS =
  'opened closed reopened edited deleted assigned unassigned labeled unlabeled locked unlocked pinned unpinned ' +
  'transferred milestoned demilestoned created answered'
const VERBS = new Map([
  ...OWN_VERBS.split(' ').map((verb) => [verb, verb] as const),
  ['synchronize', 'pushed commits to'],
  ['synchronized', 'pushed commits to'],
  ['ready_for_review', 'marked as ready for review'],
  ['converted_to_draft', 'converted to a draft'],
  ['label_updated', 'changed the labels of'],
  ['label_cleared', 'cleared the labels of'],
  ['auto_merge_enabled', 'enabled auto-merge for'],
  ['auto_merge_disabled', 'disabled auto-merge for'],
  ['review_requested', 'requested a review of'],
])

const readItem =
  (field: 'issue' | 'pull_request' | 'discussion'): ReadEvent =>
  (payload) => {
    const action = neededText(payload, 'action')
    const { item, topic, named } = readNumbered(payload, field)
    const isMerged = action === 'closed' && at(item, 'merged') === true
    const verb = isMerged ? 'merged' : VERBS.get(action)
    if (verb === undefined) return undefined
    const assignee = textAt(payload, 'assignee', 'login')
    const label = textAt(payload, 'label', 'name')
    const reviewer = textAt(payload, 'requested_reviewer', 'login')
    const change = action === 'assigned' && assignee !== '' ? ` to ${plain(assignee)}` : ''
    const labeled = action.includes('labeled') && label !== '' ? ` with ${code(label)}` : ''
    const requested = action === 'review_requested' && reviewer !== '' ? ` from ${plain(reviewer)}` : ''
    const branches = action === 'opened' ? branchesOf(item) : ''
    const body =
      action === 'opened' || action === 'created' || action === 'edited' ? textAt(item, 'body') : ''
    return {
      topic,
      content: did(senderOf(payload), `${verb} ${named}${change}${labeled}${requested}${branches}`, body),
    }
  }

function branchesOf(item: unknown): string {
  const [from, to] = [textAt(item, 'head', 'ref'), textAt(item, 'base', 'ref')]
  return from === '' || to === '' ? '' : ` from ${code(from)} to ${code(to)}`
}

const readComment =
  (field: 'issue' | 'pull_request' | 'discussion'): ReadEvent =>
  (payload) => {
    const action = neededText(payload, 'action')
    const found = ['pull_request', 'issue', 'discussion'] as const
    const own =
      found.find((one) => one === field && at(payload, one)) ?? found.find((one) => at(payload, one)) ?? field
    const { topic, named } = readNumbered(payload, own)
    const url = firstOf(textAt(payload, 'comment', 'html_url'), textAt(payload, 'comment', 'url'))
    const who = senderOf(payload)
    if (action === 'deleted') return { topic, content: did(who, `deleted a comment on ${named}`) }
    if (action !== 'created' && action !== 'edited') return undefined
    const verb = action === 'created' ? link('commented', url) : `edited ${link('a comment', url)}`
    const path = textAt(payload, 'comment', 'path')
    const place = path === '' ? '' : ` in ${code(path)}`
    return { topic, content: did(who, `${verb} on ${named}${place}`, textAt(payload, 'comment', 'body')) }
  }

const REVIEWS = new Map([
  ['approved', 'approved'],
  ['changes_requested', 'requested changes of'],
  ['commented', 'reviewed'],
  ['dismissed', 'dismissed a review of'],
  // Those of Gitea.
  ['pull_request_review_approved', 'approved'],
  ['pull_request_review_rejected', 'requested changes of'],
  ['pull_request_review_comment', 'reviewed'],
])

const readReview: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  const { topic, named } = readNumbered(payload, 'pull_request')
  const review = at(payload, 'review')
  const state =
    action === 'dismissed' ? action : firstOf(textAt(review, 'state').toLowerCase(), textAt(review, 'type'))
  const verb = REVIEWS.get(state)
  if (verb === undefined || action === 'edited') return undefined
  const text = firstOf(textAt(review, 'body'), textAt(review, 'content'))
  return {
    topic,
    content: did(senderOf(payload), `${link(verb, textAt(review, 'html_url'))} ${named}`, text),
  }
}

const readRelease: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  if (!['published', 'updated', 'edited', 'deleted'].includes(action)) return undefined
  const release = neededObject(payload, 'release')
  const name = firstOf(textAt(release, 'name'), textAt(release, 'tag_name'))
  const what = `${plain(action)} the release ${link(name, firstOf(textAt(release, 'html_url'), textAt(release, 'url')))}`
  return { topic: repositoryOf(payload), content: did(senderOf(payload), what, textAt(release, 'body')) }
}

const readFork: ReadEvent = (payload) => {
  const [forkee, repository] = [neededObject(payload, 'forkee'), neededObject(payload, 'repository')]
  // GitHub has the fork in `forkee`; Gitea has the parent there.
  const isParent = at(repository, 'fork') === true && at(forkee, 'fork') !== true
  const [fork, parent] = isParent ? [repository, forkee] : [forkee, repository]
  const name = firstOf(textAt(fork, 'full_name'), textAt(fork, 'name'))
  const of = neededText(parent, 'name')
  return {
    topic: of,
    content: did(senderOf(payload), `forked ${plain(of)} to ${link(name, textAt(fork, 'html_url'))}`),
  }
}

const readStar: ReadEvent = (payload) => {
  const action = neededText(payload, 'action')
  if (action !== 'created' && action !== 'started') return undefined
  const repository = repositoryOf(payload)
  const count = textAt(payload, 'repository', 'stargazers_count')
  const total = count === '' ? '' : ` It has ${plain(count)} now`
  const content = `${did(senderOf(payload), `starred ${link(repository, repositoryUrl(payload))}`)}${total}${total && '.'}`
  return { topic: repository, content }
}

const readCommitComment: ReadEvent = (payload) => {
  const commit = neededText(payload, 'comment', 'commit_id').slice(0, 11)
  const what = `${link('commented', textAt(payload, 'comment', 'html_url'))} on ${code(commit)}`
  return {
    topic: repositoryOf(payload),
    content: did(senderOf(payload), what, textAt(payload, 'comment', 'body')),
  }
}

const readRepository: ReadEvent = (payload) => {
  const repository = repositoryOf(payload)
  const action = firstOf(textAt(payload, 'action'), 'changed')
  const what = `${plain(action)} the repository ${link(repository, repositoryUrl(payload))}`
  return { topic: repository, content: did(senderOf(payload), what) }
}

const CONCLUSIONS = new Map([
  ['success', '✅ succeeded'],
  ['failure', '❌ failed'],
  ['cancelled', '⚪ was cancelled'],
  ['timed_out', '❌ timed out'],
  ['action_required', '🟠 needs an action'],
])

/** A run of a workflow that is over. */
const readRun: ReadEvent = (payload) => {
  if (textAt(payload, 'action') !== 'completed') return undefined
  const run = neededObject(payload, 'workflow_run')
  const verb = CONCLUSIONS.get(textAt(run, 'conclusion'))
  if (verb === undefined) return undefined
  const repository = repositoryOf(payload)
  const branch = textAt(run, 'head_branch')
  const workflow = firstOf(textAt(run, 'name'), textAt(payload, 'workflow', 'name'), 'Workflow')
  const name = link(workflow, textAt(run, 'html_url'))
  const title = firstOf(textAt(run, 'display_title'), firstLine(textAt(run, 'head_commit', 'message')))
  const about = title === '' ? '' : `: ${bold(title)}`
  const place = branch === '' ? '' : ` on ${code(branch)}`
  return {
    topic: branch === '' ? repository : `${repository} / ${branch}`,
    content: `${name} ${verb}${place}${about}`,
  }
}

const readDeployment: ReadEvent = (payload) => {
  const state = neededText(payload, 'deployment_status', 'state')
  const environment = firstOf(textAt(payload, 'deployment', 'environment'), 'production')
  const url = firstOf(
    textAt(payload, 'deployment_status', 'target_url'),
    textAt(payload, 'deployment_status', 'url'),
  )
  const content = `The ${link('deployment', url)} to ${code(environment)} is ${bold(state.replaceAll('_', ' '))}.`
  return { topic: repositoryOf(payload), content }
}

const readPing: ReadEvent = (payload) => {
  const repository = firstOf(
    textAt(payload, 'repository', 'name'),
    textAt(payload, 'organization', 'login'),
    'Webhooks',
  )
  return { topic: repository, content: `The webhook of ${bold(repository)} works.` }
}

/** The events by the names in the header of the sender. */
export const FORGE_EVENTS: ReadonlyMap<string, ReadEvent> = new Map([
  ['push', readPush],
  ['create', readRef('created')],
  ['delete', readRef('deleted')],
  ['issues', readItem('issue')],
  ['issue_comment', readComment('issue')],
  ['pull_request', readItem('pull_request')],
  ['pull_request_review', readReview],
  ['pull_request_review_comment', readComment('pull_request')],
  ['discussion', readItem('discussion')],
  ['discussion_comment', readComment('discussion')],
  ['commit_comment', readCommitComment],
  ['release', readRelease],
  ['fork', readFork],
  ['star', readStar],
  ['repository', readRepository],
  ['workflow_run', readRun],
  ['deployment_status', readDeployment],
  ['ping', readPing],
])
