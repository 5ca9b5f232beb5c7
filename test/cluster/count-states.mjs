/**
 * Answers SIGUSR2 by a line with the number of states of the organization in memory: loaded by `NODE_OPTIONS=--import=…`.
 */
import process from 'node:process'
import { queryObjects } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.on('SIGUSR2', async () => {
    const { OrganizationState } = await import('../../server/state/organization-state.ts')
    const count = queryObjects(OrganizationState, { format: 'count' })
    process.stdout.write(`${JSON.stringify({ msg: 'states', count })}\n`)
  })
}
