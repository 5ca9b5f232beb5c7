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
 *
 * And statements that travel together (`write-batch.ts`) are sent without a wait: neither for the description of one that
 * the connection has not seen yet, nor for a full buffer, nor after so many. None of them is tried again by itself.
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
      '\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    held = []\n',
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
    [1, '\n    , final = null\n', '\n    , final = null\n    , nextTry = null\n    , held = []\n'],
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
    // What cannot be written is refused before it counts as sent, and it alone.
    [
      1,
      '\n      query\n        ? sent.push(q)\n        : (query = q, query.active = true)\n\n      build(q)\n      return write(toBuffer(q))\n',
      '\n      build(q)\n      const bytes = toBuffer(q)\n      query\n        ? sent.push(q)\n        : (query = q, query.active = true)\n' +
        '      if (q.options.isTogether)\n        return writeTogether(bytes, q.options.isLast)\n      return write(bytes)\n',
    ],
    [
      1,
      '\n      sent.length === 0 && write(Sync)\n      errored(error)\n',
      '\n      query === null && write(Sync)\n      queryError(q, error)\n',
    ],
    [
      1,
      '\n    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)\n',
      '\n    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared && !q.options.isTogether)\n',
    ],
    // All go with the last, in one write: a process that is stopped has sent all of it or nothing.
    [
      1,
      '\n  function write(x, fn) {\n',
      '\n  function writeTogether(x, isLast) {\n    held.push(x)\n    if (!isLast)\n      return true\n' +
        '    write(Buffer.concat(held.splice(0)))\n    chunk && nextWrite()\n    return true\n  }\n' +
        '\n  function write(x, fn) {\n',
    ],
    // Before it is described, an array is written as one of texts.
    [
      1,
      '\n      parameters[i] = x = type in options.serializers\n',
      '\n      parameters[i] = x = !type && Array.isArray(x)\n        ? arraySerializer(x, undefined, options, 0)\n        : type in options.serializers\n',
    ],
    // Tried again it would run after the commit, by itself.
    [
      1,
      '\n            ? retry(query, errorResponse)\n',
      '\n            ? query.options.isTogether\n              ? (delete statements[query.signature], errored(errorResponse))\n              : retry(query, errorResponse)\n',
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
