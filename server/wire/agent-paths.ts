/** The paths by which agents log in: of the page for people, and of programs. */

import { AGENT_POLICY } from '../api/door/policies.ts'

/** The page on which a person allows an agent. */
export const ALLOW_AGENT_PATH = '/oauth/authorize'
export const TOKEN_PATH = '/oauth/token'
export const REGISTER_PATH = '/oauth/register'
export const REVOKE_PATH = '/oauth/revoke'
export const SERVER_PATH = '/.well-known/oauth-authorization-server'
/** The description of the address of agents; a 401 there leads to it. */
export const RESOURCE_PATH = `/.well-known/oauth-protected-resource${AGENT_POLICY.path}`

const READ = ['GET', 'HEAD']
const WRITE = ['POST']

/** The paths for programs, with their methods. */
export const AGENT_LOG_IN_PATHS: ReadonlyMap<string, readonly string[]> = new Map([
  [SERVER_PATH, READ],
  [RESOURCE_PATH, READ],
  ['/.well-known/oauth-protected-resource', READ],
  [REGISTER_PATH, WRITE],
  [TOKEN_PATH, WRITE],
  [REVOKE_PATH, WRITE],
])
