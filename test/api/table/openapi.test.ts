/** The OpenAPI document and the reference page. */

import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { createNames } from '../../../server/views/names.ts'
import { createPages } from '../../../server/wire/pages.ts'
import { describeApi } from '../../../server/api/openapi.ts'
import { OPERATIONS } from '../../../server/api/table.ts'
import { IMPORT_PRODUCTS } from '../../../server/domain/organization/imports.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

// oxlint-disable-next-line typescript/no-explicit-any -- A document is JSON; the test checks its shape.
type Json = any

const document: Json = describeApi({ operations: OPERATIONS, names: createNames(true), version: '1.2.3' })

const shapeOf = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')
const pathsByShape = new Map(Object.keys(document.paths).map((path) => [shapeOf(path), path]))

function operationOf(method: string, path: string): Json {
  return document.paths[pathsByShape.get(shapeOf(path)) ?? '']?.[method.toLowerCase()]
}

t.test('[DOC1] every operation of the table is in the document, under a unique id', async (t) => {
  const ids = OPERATIONS.map(({ method, path }) => operationOf(method, path)?.operationId)
  for (const id of ids) t.match(id, /^[a-z]+[A-Z][A-Za-z0-9]*$/)
  const addresses = new Set(OPERATIONS.map(({ method, path }) => `${method} ${shapeOf(path)}`))
  t.equal(new Set(ids).size, addresses.size)
  const count = Object.values(document.paths).flatMap((item) => Object.keys(item as object)).length
  t.equal(count, addresses.size)
})

t.test('[DOC12] paths that differ only in the name of a variable are one path', async (t) => {
  t.equal(pathsByShape.size, Object.keys(document.paths).length)
  const [user] = operationOf('GET', '/users/{user_id}').parameters
  t.same(
    user.schema.anyOf.map(({ type }: Json) => type),
    ['integer', 'string'],
  )
})

t.test('[DOC13] each operation lists the statuses that its requests can get', async (t) => {
  for (const { method, path, access } of OPERATIONS) {
    const { responses } = operationOf(method, path)
    const name = `${method} ${path}`
    for (const status of [400, 405, 413, 414, 429, 500, 503]) t.ok(responses[status], `${name}: ${status}`)
    t.equal(responses[403] !== undefined, method !== 'GET' || access !== 'anyone', name)
    const isTokenNeeded = method !== 'GET' && access !== 'anyone'
    t.equal(JSON.stringify(responses[403] ?? {}).includes('CSRF_TOKEN_WRONG'), isTokenNeeded, name)
    if (access !== 'anyone') t.ok(responses[401], name)
    if (path.includes('{')) t.ok(responses[404], name)
    t.notOk(JSON.stringify(responses).includes('TICKET_INVALID'), name)
  }
})

t.test(
  '[DOC2] every parameter is in the path, the query of a GET or a webhook, or the form of another method',
  async (t) => {
    for (const { method, path: ownPath, params: ownParams, takesWebhook } of OPERATIONS) {
      const { parameters, requestBody } = operationOf(method, ownPath)
      // Variables of similar paths get their names in the document.
      const path = pathsByShape.get(shapeOf(ownPath)) ?? ''
      const [own, shared] = [ownPath, path].map((one) => one.match(/(?<=\{)\w+/g) ?? [])
      const params = Object.fromEntries(
        Object.entries(ownParams).map(([name, param]) => [
          shared?.[own?.indexOf(name as never) ?? -1] ?? name,
          param,
        ]),
      )
      const content = requestBody?.content ?? {}
      const form = (content['application/x-www-form-urlencoded'] ?? content['multipart/form-data'])?.schema
      const isParam = (name: string) => name !== 'filename' || Object.hasOwn(params, name)
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      t.same(
        parameters.filter((one: Json) => one.in === 'path').map((one: Json) => one.name),
        inPath,
        `${method} ${path} declares its path`,
      )
      const names: string[] = [
        ...parameters.map((one: Json) => one.name),
        ...Object.keys(form?.properties ?? {}).filter(isParam),
      ]
      t.same(names.sort(), Object.keys(params).sort(), `${method} ${path} has its parameters, each once`)
      t.equal(
        parameters.some((one: Json) => one.in === 'query'),
        (method === 'GET' || takesWebhook === true) && Object.keys(params).length > inPath.length,
      )
      if (method === 'GET') t.notOk(requestBody)
      for (const one of parameters) {
        // OpenAPI requires exactly one of the two.
        t.equal(Number('schema' in one) + Number('content' in one), 1, `${method} ${path}: ${one.name}`)
      }
      const required = Object.keys(params).filter((name) => params[name]?.isRequired)
      const saidRequired: string[] = [
        ...parameters.filter((one: Json) => one.required).map((one: Json) => one.name),
        ...(form?.required ?? []).filter(isParam),
      ]
      t.same(saidRequired.sort(), required.sort(), `${method} ${path} says what is required`)
    }
  },
)

t.test('[DOC14] a file that may be left out is in one of two forms of a body', async (t) => {
  const { content, required } = operationOf('POST', '/bots').requestBody
  const [form, multipart] = ['application/x-www-form-urlencoded', 'multipart/form-data'].map(
    (type) => content[type].schema,
  )
  t.equal(required, true)
  t.match(multipart.properties.filename, { format: 'binary' })
  const { filename: _, ...others } = multipart.properties
  t.same([others, multipart.required], [form.properties, form.required])
  const avatar = operationOf('POST', '/users/me/avatar').requestBody
  t.same(Object.keys(avatar.content), ['multipart/form-data'])
  t.same(avatar.content['multipart/form-data'].schema.required, ['filename'])
})

t.test('[DOC3] fields that contain JSON declare it', async (t) => {
  const { properties, required } = operationOf('POST', '/users/me/subscriptions').requestBody.content[
    'application/x-www-form-urlencoded'
  ].schema
  t.equal(properties.subscriptions.type, 'array')
  t.same(required, ['subscriptions'])
  const { encoding } = operationOf('POST', '/users/me/subscriptions').requestBody.content[
    'application/x-www-form-urlencoded'
  ]
  t.same(encoding.subscriptions, { contentType: 'application/json' })
  t.notOk('invite_only' in encoding, 'a boolean looks the same either way')
  const narrow = operationOf('GET', '/messages').parameters.find((one: Json) => one.name === 'narrow')
  t.ok(narrow.content['application/json'].schema)
  const anchor = operationOf('GET', '/messages').parameters.find((one: Json) => one.name === 'anchor')
  t.ok(anchor.schema)
})

t.test('[DOC4] a success has its declared fields, with the aliases of existing clients', async (t) => {
  for (const { method, path, reply } of OPERATIONS) {
    const { schema } = operationOf(method, path).responses[200].content['application/json']
    for (const name of Object.keys(reply)) t.ok(schema.properties[name], `${method} ${path}: ${name}`)
    t.equal(schema.additionalProperties, false)
    t.same(
      schema.required.filter((name: string) => !(name in schema.properties)),
      [],
    )
  }
  const settings = operationOf('GET', '/server_settings').responses[200].content['application/json'].schema
  t.ok(settings.properties.service_version)
  t.ok(settings.properties.zulip_version)
  const neutral: Json = describeApi({ operations: OPERATIONS, names: createNames(false), version: '1' })
  // It is also one of the products that teams move from.
  const products = JSON.stringify(IMPORT_PRODUCTS)
  t.notMatch(JSON.stringify(neutral).replaceAll(products, '[]'), /zulip/i)
})

t.test('[DOC5] errors are listed by status, with code and message', async (t) => {
  const { responses } = operationOf('POST', '/users/me/subscriptions')
  t.match(responses[400].description, '`BAD_REQUEST` Unable to access channel')
  t.ok(responses[400].content['application/json'].examples.CHANNEL_INACCESSIBLE)
  t.ok(responses[401].content['application/json'].examples.API_KEY_INVALID)
  t.ok(responses[429])
  t.same(document.components.examples.PARAMETER_MISSING.value, {
    result: 'error',
    msg: "Missing '{name}' argument",
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: '{name}',
  })
})

t.test('[DOC6] each operation declares its callers and whether it is deprecated', async (t) => {
  t.same(document.security, [{ basic: [] }, { session: [], csrf: [] }])
  t.match(document.components.securitySchemes, {
    basic: { type: 'http', scheme: 'basic' },
    session: { type: 'apiKey', in: 'cookie', name: 'sessionid' },
    csrf: { type: 'apiKey', in: 'header', name: 'X-CSRFToken' },
  })
  const security = { anyone: [], visitor: [...document.security, {}], user: undefined }
  for (const { method, path, access, takesWebhook, isDeprecated } of OPERATIONS) {
    const { security: described, deprecated } = operationOf(method, path)
    t.same(described, security[takesWebhook ? 'anyone' : access], `${method} ${path}`)
    t.equal(deprecated === true, isDeprecated === true)
  }
})

t.test('[DOC7] every reference within the document resolves, and every tag is listed', async (t) => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, ref]) => ref ?? '')
  t.ok(references.length > 0)
  for (const reference of new Set(references)) {
    t.match(reference, /^#\//)
    const found = reference
      .slice(2)
      .split('/')
      .reduce((part: Json, key) => part?.[key], document)
    t.ok(found, reference)
  }
  const tags = document.tags.map((tag: Json) => tag.name)
  for (const { method, path } of OPERATIONS) {
    for (const tag of operationOf(method, path).tags) t.ok(tags.includes(tag), `${method} ${path}`)
  }
})

t.test('[DOC8] schemas use only known keywords', async (t) => {
  const known = new Set(
    'type properties required additionalProperties items anyOf enum const minimum maximum minItems maxItems minLength maxLength pattern default description deprecated $ref format'.split(
      ' ',
    ),
  )
  const TYPES = ['object', 'array', 'string', 'integer', 'number', 'boolean', 'null']
  const visit = (schema: Json, where: string): void => {
    if (schema === true || schema === false) return
    t.same(
      Object.keys(schema).filter((word) => !known.has(word)),
      [],
      where,
    )
    for (const type of [schema.type ?? []].flat()) t.ok(TYPES.includes(type), `${where}: ${type}`)
    for (const [name, part] of Object.entries(schema.properties ?? {})) visit(part, `${where}.${name}`)
    if (schema.items) visit(schema.items, `${where}[]`)
    if (schema.additionalProperties) visit(schema.additionalProperties, `${where}.*`)
    for (const part of schema.anyOf ?? []) visit(part, where)
  }
  const search = (node: Json, where: string): void => {
    if (typeof node !== 'object' || node === null) return
    for (const [key, part] of Object.entries(node)) {
      if (key === 'schema') visit(part, where)
      else if (key !== 'examples') search(part, `${where}/${key}`)
    }
  }
  search(document, '')
})

t.test('[DOC9] the document is served under the API to anyone', async (t) => {
  const server = await startTestServer(t)
  const response = await fetch(`${server.node.url}/api/v1/openapi.json`)
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'application/json')
  t.match(response.headers.get('cache-control'), /max-age=\d+/)
  const served: Json = await response.json()
  t.equal(served.openapi, '3.1.0')
  t.equal(Object.keys(served.paths).length, Object.keys(document.paths).length)
  t.match(served.info.version, /^\d+\.\d+\.\d+$/)

  const posted = await fetch(`${server.node.url}/api/v1/openapi.json`, { method: 'POST' })
  t.equal(posted.status, 405)
  t.same(((await posted.json()) as Json).allowed_methods, ['GET', 'HEAD'])
})

t.test('[DOC20] the document is made and compressed once, and each answer has the same bytes', async (t) => {
  const never = () => Promise.reject(new Error('it asks for a picture'))
  const find = createPages({
    operations: OPERATIONS,
    names: createNames(true),
    findClientFile: () => undefined,
    findPicture: never,
    findDrawnPicture: never,
    isReady: () => true,
    mayReadMetrics: () => false,
    renderMetrics: never,
  })
  const asked = {
    peerAddress: '',
    isForwarded: false,
    host: '',
    authorization: '',
    query: '',
    acceptsBrotli: false,
  }
  for (const path of ['/api/v1/openapi.json', '/docs/swagger-ui-bundle.js']) {
    const [plain, again, zipped, zippedAgain] = await Promise.all(
      [false, false, true, true].map(async (acceptsGzip) => find(path, { ...asked, acceptsGzip })),
    )
    t.ok(plain?.body instanceof Uint8Array, 'a text would be converted for each answer')
    t.equal(plain?.body, again?.body)
    t.equal(zipped?.body, zippedAgain?.body)
    t.match(plain?.headers, { Vary: 'Accept-Encoding' })
    t.match(zipped?.headers, { Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' })
    const bytes = zipped?.body as Uint8Array
    t.ok(bytes.length < (plain?.body.length ?? 0) / 3)
    t.same(gunzipSync(bytes), plain?.body)
  }
})

t.test('[DOC10] the reference page loads only from this server, under a strict policy', async (t) => {
  const server = await startTestServer(t)
  const fetchPage = (path: string) => fetch(`${server.node.url}${path}`)
  const page = await fetchPage('/docs')
  t.equal(page.status, 200)
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  t.equal(page.headers.get('x-content-type-options'), 'nosniff')
  const policy = page.headers.get('content-security-policy') ?? ''
  t.match(policy, "default-src 'none'")
  t.match(policy, "script-src 'self';")
  t.notMatch(policy, /https?:|\*|unsafe-eval/)
  const html = await page.text()
  t.notMatch(
    html,
    /<script(?![^>]*\bsrc=)|\son[a-z]+=|style=|https?:/i,
    'nothing inline, nothing from elsewhere',
  )

  const TYPES: Record<string, string> = {
    js: 'text/javascript; charset=utf-8',
    css: 'text/css; charset=utf-8',
    svg: 'image/svg+xml',
  }
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? '')
  t.same(files.sort(), [
    '/docs/start.js',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
    '/static/icon.svg',
  ])
  for (const path of files) {
    const file = await fetchPage(path)
    t.equal(file.status, 200, path)
    t.equal(file.headers.get('content-type'), TYPES[path.split('.').at(-1) ?? ''])
    t.ok((await file.arrayBuffer()).byteLength > 0)
  }
})

t.test('[DOC11] no other file of the package or of the server can be reached', async (t) => {
  const server = await startTestServer(t)
  const folder = dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  const others = readdirSync(folder).filter(
    (name) => name !== 'swagger-ui-bundle.js' && name !== 'swagger-ui.css',
  )
  t.ok(others.length > 5)
  const paths = [
    ...others.map((name) => `/docs/${name}`),
    '/docs/../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs//etc/passwd',
    '/docs/__proto__',
    '/docs/start.js/',
    '/docs/index.html%00.js',
  ]
  for (const path of paths) {
    const response = await fetch(server.node.url + path)
    t.equal(response.status, 404, path)
    t.same(await response.json(), { result: 'error', msg: 'No such endpoint', code: 'NOT_FOUND' }, path)
  }
})
