/**
 * postgres.js, mended where a lost connection does harm beyond its own statements.
 *
 * As released, what was about to be written when a connection is lost stays behind: the connection then
 * never gets through another start, or runs the old statement after it, in no transaction and with its
 * answer given to somebody else. And a transaction goes on with its rollback on a connection that is
 * gone, which ends the process. See porsager/postgres#1154 and #1208; to be dropped when they are closed.
 *
 * And where TLS is asked of a server that has none, it goes on as if there were, until the server breaks the connection.
 *
 * And a pool that is ended while one of its connections is being made, or waits to be, forgets that one: it comes
 * to be later, belongs to nobody, and keeps the process and the database waiting for it.
 */

import { registerHooks } from 'node:module'
import type postgresType from 'postgres'

/** What is replaced in each file: exactly once, or the release is another than the one that was read. */
const CHANGES: Readonly<Record<string, readonly (readonly [count: number, from: string, to: string])[]>> = {
  'connection.js': [
    // Both where a connection closes and where it is ended.
    [
      2,
      '\n    clearImmediate(nextWriteTimer)\n',
      '\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n',
    ],
    // A server without TLS is told from one that breaks the connection.
    [
      1,
      "\n      if (!canSSL && ssl === 'prefer')\n        return connected()\n",
      "\n      if (!canSSL && ssl === 'prefer')\n        return connected()\n" +
        "      if (!canSSL) {\n        errored(Errors.generic('TLS_REFUSED', 'the server offers no TLS'))\n" +
        '        return socket.destroy()\n      }\n',
    ],
    // A connection that is ended makes no further try, nor goes on with the one under way.
    [1, '\n    , final = null\n', '\n    , final = null\n    , nextTry = null\n'],
    [1, '\n    setTimeout(connect, closedTime', '\n    nextTry = setTimeout(connect, closedTime'],
    [
      1,
      '\n    if (!socket)\n      return\n\n    connectTimer.start()\n',
      '\n    if (!socket)\n      return\n\n    if (terminated)\n      return socket.destroy()\n\n    connectTimer.start()\n',
    ],
    [
      1,
      '\n    terminated = true\n',
      '\n    terminated = true\n    clearTimeout(nextTry)\n    const isStarting = initial !== null\n',
    ],
    [
      1,
      "\n      socket.readyState === 'open' && socket.end(b().X().end())\n",
      "\n      socket.readyState === 'open' && !isStarting ? socket.end(b().X().end()) : socket.destroy()\n",
    ],
  ],
  'index.js': [
    // A transaction has its connection for as long as the connection says so.
    [1, '\n      , prepare = null\n', '\n      , prepare = null\n      , own = null\n'],
    [1, '\n      c.reserved = () => queries.length\n', '\n      c.reserved = own = () => queries.length\n'],
    [
      1,
      '\n        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '\n        q.catch(e => uncaughtError || (uncaughtError = e))\n' +
        "        if (c.reserved !== own) return q.reject(Errors.generic('CONNECTION_CLOSED', 'amid a transaction'))\n",
    ],
    // A pool that is ended opens no connection again for the statements that still wait for one.
    [
      1,
      '\n    queries.length && connect(c, queries.shift())\n',
      '\n    while (ending && queries.length)\n' +
        "      queries.shift().reject(Errors.connection('CONNECTION_ENDED', options, options))\n" +
        '    queries.length && connect(c, queries.shift())\n',
    ],
  ],
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const name = /\/node_modules\/postgres\/src\/(\w+\.js)$/.exec(url)?.[1]
    const changes = name === undefined ? undefined : CHANGES[name]
    if (!changes) return loaded
    const source = changes.reduce(change, Buffer.from(loaded.source as Uint8Array).toString('utf8'))
    return { ...loaded, source }
  },
})
const { default: postgres } = (await import('postgres')) as { default: typeof postgresType }
hooks.deregister()

function change(source: string, [count, from, to]: readonly [number, string, string]): string {
  const pieces = source.split(from)
  if (pieces.length !== count + 1)
    throw new Error(`postgres.js is not the release that is mended here: ${from.trim()}`)
  return pieces.join(to)
}

export { postgres }
