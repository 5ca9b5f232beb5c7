/** The tables of operations and errors, and the page that lists the errors. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { exampleError } from '../../../server/api/error-example.ts'
import { ApiError, COMMON_ERRORS, type ErrorName, ERRORS, fail } from '../../../server/errors/api-error.ts'
import { RESUMABLE_UPLOAD_ERRORS } from '../../../server/errors/uploads.ts'
import { OPERATIONS } from '../../../server/api/table.ts'

const ERRORS_PAGE = join(import.meta.dirname, '../../../docs/errors.md')

t.test('[TAB1] a method and a path name one operation', async (t) => {
  const routes = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  t.same(
    routes.filter((route, index) => routes.indexOf(route) !== index),
    [],
  )
  // Two names of one segment would make the same route.
  const shapes = OPERATIONS.map(
    ({ method, path, params }) =>
      `${method} ${path.replaceAll(/\{(\w+)\}/g, (_, name) => (params[name]?.type.isText ? 'text' : 'number'))}`,
  )
  t.equal(new Set(shapes).size, shapes.length)
})

t.test('[TAB2] every variable of a path is a required parameter', async (t) => {
  for (const { method, path, params } of OPERATIONS) {
    for (const [, name = ''] of path.matchAll(/\{([^}]*)\}/g)) {
      t.ok(params[name]?.isRequired, `${method} ${path}: ${name}`)
    }
    t.match(path, /^(\/([a-z0-9_]+|\{[a-z_]+\}))+$/)
  }
})

t.test('[TAB3] an operation declares errors of the table, each once, and no common ones', async (t) => {
  for (const { method, path, errors } of OPERATIONS) {
    const route = `${method} ${path}`
    t.same(
      errors.filter((name) => !Object.hasOwn(ERRORS, name)),
      [],
      `${route} declares what exists`,
    )
    t.same(
      errors.filter((name) => (COMMON_ERRORS as readonly string[]).includes(name)),
      [],
      `${route} does not repeat the common ones`,
    )
    t.equal(new Set(errors).size, errors.length, `${route} declares each once`)
  }
})

t.test('[TAB4] operations, parameters and reply fields have descriptions in sentences', async (t) => {
  for (const { method, path, summary, description, params, reply } of OPERATIONS) {
    const route = `${method} ${path}`
    t.match(summary, /^[A-Z].*[^.]$/, `${route} has a summary`)
    if (description !== undefined) t.match(description, /^\S[\s\S]*\.$/, `${route} is described`)
    for (const [name, param] of [...Object.entries(params), ...Object.entries(reply)]) {
      t.match(param.description, /^\S[\s\S]*[.:]$/, `${route} describes ${name}`)
    }
  }
})

t.test(
  '[TAB5] a parameter has one meaning: no alias is another parameter, and only optional ones have defaults',
  async (t) => {
    for (const { method, path, params } of OPERATIONS) {
      const names = Object.entries(params).flatMap(([name, { aliases }]) => [name, ...aliases])
      t.equal(new Set(names).size, names.length, `${method} ${path}`)
      for (const [name, { isRequired, defaultValue }] of Object.entries(params)) {
        t.notOk(isRequired && defaultValue !== undefined, `${method} ${path}: ${name}`)
      }
    }
  },
)

t.test('[TAB6] an error has a failure status, a code, a message, and its documented fields', async (t) => {
  for (const name of Object.keys(ERRORS) as ErrorName[]) {
    const { status, body } = exampleError(name)
    t.ok(status >= 400 && status < 600, `${name}: ${status}`)
    t.equal(body.result, 'error')
    t.match(body.msg, /\S/, name)
    t.notMatch(body.msg, /undefined|\[object/, name)
    if (name !== 'METHOD_NOT_ALLOWED') t.match(body.code, /^[A-Z][A-Z0-9_]*$/, name)
  }
  const failure = fail('PARAMETER_MISSING', { name: 'x' })
  t.ok(failure instanceof ApiError)
  t.same(failure.body, {
    result: 'error',
    msg: "Missing 'x' argument",
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'x',
  })
})

t.test('[TAB7] every error is common or declared by an operation', async (t) => {
  const used = new Set<string>([
    ...COMMON_ERRORS,
    ...Object.keys(RESUMABLE_UPLOAD_ERRORS), // tus is its own protocol.
    ...OPERATIONS.flatMap(({ errors }) => errors),
  ])
  t.same(
    Object.keys(ERRORS).filter((name) => !used.has(name)),
    [],
  )
})

t.test('[TAB8] docs/errors.md lists the table; UPDATE_DOCS=1 writes it anew', async (t) => {
  const page = describeErrors()
  if (process.env.UPDATE_DOCS === '1') writeFileSync(ERRORS_PAGE, page)
  t.equal(readFileSync(ERRORS_PAGE, 'utf8'), page)
})

function describeErrors(): string {
  const rows = (Object.keys(ERRORS) as ErrorName[])
    .map((name) => ({ name, ...exampleError(name) }))
    .sort((a, b) => a.status - b.status) // The sort is stable: within a status, the order of the table.
    .map(({ name, status, body: { msg, code, ...extra } }) =>
      [
        `\`${name}\``,
        status,
        code === undefined ? 'none' : `\`${code}\``,
        msg,
        Object.keys(extra)
          .filter((key) => key !== 'result')
          .map((key) => `\`${key}\``)
          .join(', '),
        (COMMON_ERRORS as readonly string[]).includes(name) ? 'any' : callersOf(name),
      ].join(' | '),
    )
  return `# Errors

A failed request answers \`{"result":"error","msg":…,"code":…}\` and the fields named here, nothing else. The names in
the first column are the server's own (\`server/errors/api-error.ts\`); clients match on codes and messages. \`{…}\` stands
for a value.

| Name | HTTP | Code | Message | More fields | Operations |
|---|---|---|---|---|---|
${rows.map((row) => `| ${row} |`).join('\n')}

\`PARAMETER_INVALID\` words what is wrong with a parameter: \`x is not valid JSON\`, \`x is not an integer\`,
\`x is not a boolean\`, \`x is not a string\`, \`x is not a list\`, \`x is not a dict\`,
\`x["k"] field is missing: Field required\`, \`Invalid x\`, \`x cannot be blank\`,
\`x is too long (limit: N characters)\`, \`x must not contain null characters\`, and others that an operation words itself.

A 401 comes with \`WWW-Authenticate\`, a 429 and a 503 with \`Retry-After\` in seconds, and every reply with \`X-Request-Id\`.

Only headers of more than 32 KiB in all are answered in another form: by a 431 with a page of the HTTP library.
`
}

function callersOf(name: ErrorName): string {
  const callers = OPERATIONS.filter(({ errors }) => errors.includes(name))
  return callers.map(({ method, path }) => `\`${method} ${path}\``).join(', ')
}
