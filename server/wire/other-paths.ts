/** Serves requests that are not operations: files, forms, pages and pictures. */

import type { AdmitContext } from '../api/admit.ts'
import type { Exchange } from '../api/door/exchange.ts'
import {
  AGENT_POLICY,
  DOCUMENT_POLICY,
  isScimPath,
  PAGE_POLICY,
  PICTURE_POLICY,
  PROGRAM_POLICY,
} from '../api/door/policies.ts'
import { errorHeaders } from '../api/error-headers.ts'
import { filePolicy, findServedFile, isFilePath } from '../api/served-file.ts'
import { isDrawnPath } from '../domain/files/drawn-pictures.ts'
import { readPicturePath } from '../domain/files/pictures.ts'
import { SCIM_TYPE, ScimError } from '../domain/scim/scim-error.ts'
import { fail } from '../errors/api-error.ts'
import { FileMissingError, FilesUnavailableError } from '../files/file-store.ts'
import { isHealthPath } from '../measures/health-paths.ts'
import { DEFAULT_ICON_URL, organizationPictureUrl } from '../views/organization-pictures-view.ts'
import { AGENT_LOG_IN_PATHS } from './agent-paths.ts'
import type { Answers } from './answers.ts'
import type { Bodies } from './bodies.ts'
import { ANONYMOUS_BODY_BYTES_MAX } from './body-budget.ts'
import { decodeQuery } from './decode-form.ts'
import type { Flight } from './flights.ts'
import { checkSubmitted, failurePage, findForm, formPolicy } from './forms.ts'
import type { ServeForm } from './forms/serve-form.ts'
import { drawPage, type PeoplesPage, TAB_ICON_PATH } from './html.ts'
import { choosePageTexts, type PageTexts } from './page-texts.ts'
import { isDocumentPath, type PageRequest } from './pages.ts'
import { type Page, redirectTo } from './reply.ts'
import type { WireRequest } from './request.ts'
import { ClientGoneError } from './receive-files.ts'
import { toAnswerError } from './to-answer-error.ts'
import { chooseAnswer, writeFile } from './write-file.ts'

/** Bytes of an agent's message: the longest texts of twenty messages fit. */
const AGENT_BODY_BYTES_MAX = 1024 * 1024
/** Bytes of a body of SCIM: groups of some thousand members fit, and two of them in the room of their address. */
const SCIM_BODY_BYTES_MAX = 512 * 1024

/** The page at a path, if any; pages under the API's base are documents about it. */
export type FindPage = (path: string, request: PageRequest) => Page | Promise<Page> | undefined

/** All paths besides those of operations. */
export class OtherPaths {
  readonly #admission: AdmitContext
  readonly #answers: Answers
  readonly #bodies: Bodies
  readonly #findPage: FindPage

  constructor(admission: AdmitContext, answers: Answers, bodies: Bodies, findPage: FindPage) {
    this.#admission = admission
    this.#answers = answers
    this.#bodies = bodies
    this.#findPage = findPage
  }

  /** Answers a request; rejects with the error for its answer. */
  serve(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    const { path } = request
    if (path === AGENT_POLICY.path) return this.#serveAgent(flight, request, exchange)
    if (isScimPath(path)) return this.#serveScim(flight, request, exchange)
    if (AGENT_LOG_IN_PATHS.has(path)) return this.#serveProgram(flight, request, exchange)
    const form = findForm(path)
    if (form) return this.#serveForm(flight, request, exchange, form)
    const serving = isFilePath(path)
      ? this.#serveFile(flight, request, exchange)
      : this.#servePage(flight, request, exchange)
    return request.isForPerson ? serving.catch(this.#failTo(flight, request, exchange)) : serving
  }

  /** Its only method is POST: without sessions there is no stream to open by GET, and nothing to end by DELETE. */
  async #serveAgent(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    flight.asked = 'agent'
    if (request.method !== 'POST') throw fail('METHOD_NOT_ALLOWED', { allowed: ['POST'] })
    exchange.enter(AGENT_POLICY)
    const { user } = exchange
    const body = request.hasBody
      ? await this.#bodies.readWhole(flight, request, { user, bytesMax: AGENT_BODY_BYTES_MAX })
      : Buffer.alloc(0)
    const { answerAgentRequest } = await import('./agents.ts')
    await this.#answers.turn.next()
    this.#answers.beginChange(flight)
    this.#answers.answer(flight, await answerAgentRequest(body, request, exchange, this.#admission))
  }

  /** Errors have the form of SCIM, too. */
  async #serveScim(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    flight.asked = 'scim'
    try {
      exchange.enterProvider()
      const room = { user: undefined, bytesMax: SCIM_BODY_BYTES_MAX }
      const body = request.hasBody ? await this.#bodies.readWhole(flight, request, room) : Buffer.alloc(0)
      if (request.method !== 'GET') {
        await this.#answers.turn.next()
        this.#answers.beginChange(flight)
      }
      const { answerScimRequest } = await import('./scim.ts')
      const answer = await answerScimRequest(body, request, exchange, this.#admission)
      if (answer.body !== '') return this.#answers.answer(flight, answer)
      const headers = { 'Cache-Control': 'no-store', ...answer.headers }
      this.#answers.answerPage(flight, { ...answer, contentType: SCIM_TYPE, body: '', headers })
    } catch (error) {
      if (error instanceof ClientGoneError) throw error
      const known =
        error instanceof ScimError ? error : toAnswerError(error, flight, exchange, this.#admission)
      const { answerScimError } = await import('./scim.ts')
      this.#answers.answer(flight, answerScimError(known, exchange))
    }
  }

  /** The log-in of agents: their programs ask without credentials, and what they send proves itself. */
  async #serveProgram(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    flight.asked = 'agent'
    exchange.enter(PROGRAM_POLICY)
    const { method, path } = request
    const body = request.hasBody
      ? await this.#bodies.readWhole(flight, request, { user: undefined, bytesMax: ANONYMOUS_BODY_BYTES_MAX })
      : Buffer.alloc(0)
    const { answerProgram } = await import('./agent-log-in.ts')
    if (method === 'POST') {
      await this.#answers.turn.next()
      this.#answers.beginChange(flight)
    }
    const page = await answerProgram({ method, path, body }, this.#admission.services)
    this.#answers.answerPage(flight, { ...page, rate: exchange.limits.rate })
  }

  async #serveFile(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    const { method } = flight
    flight.asked = 'file'
    checkReadOnly(method)
    const { services } = this.#admission
    exchange.enter(filePolicy(request.path))
    const file = await findServedFile(request.path, exchange.user, services)
    if (isOver(flight)) return
    const { range, ifRange, ifNoneMatch } = request
    const { requestId } = flight
    const isLast = this.#answers.isDraining
    const { isTlsOnly } = this.#answers
    const asked = {
      requestId,
      method,
      rate: exchange.limits.rate,
      range,
      ifRange,
      ifNoneMatch,
      isLast,
      isTlsOnly,
    }
    const answer = chooseAnswer(file, asked)
    const elsewhere = method === 'GET' && 'range' in answer ? await file.findElsewhere() : undefined
    if (isOver(flight)) return
    if (elsewhere !== undefined)
      return this.#answers.answerPage(flight, { ...redirectTo(elsewhere), rate: exchange.limits.rate })
    flight.isWriting = true
    const writing = writeFile(flight.res, { file, request: asked, answer }, (bytes) => {
      this.#answers.requests.fileBytesSent += bytes
      this.#answers.flights.touch(flight)
    })
    flight.onAbort = () => writing.abort()
    try {
      await writing.done
    } catch (error) {
      const isMissing = error instanceof FileMissingError
      if (!flight.isAborted && (isMissing || error instanceof FilesUnavailableError)) {
        flight.isWriting = false
        if (!isMissing) throw error
        services.onError(error)
        throw fail('UPLOAD_UNKNOWN')
      }
      flight.isAborted = true
      this.#answers.finish(flight, answer.status)
      throw error
    }
    this.#answers.finish(flight, answer.status)
  }

  async #serveForm(
    flight: Flight,
    request: WireRequest,
    exchange: Exchange,
    serve: ServeForm,
  ): Promise<void> {
    const { method, path, query } = request
    flight.asked = 'form'
    try {
      exchange.enter(formPolicy(method, path))
      const fields = new Map<string, string>()
      decodeQuery(query, fields)
      if (request.hasBody)
        await this.#bodies.readFields(flight, request, exchange, {
          bytesMax: ANONYMOUS_BODY_BYTES_MAX,
          fields,
        })
      if (method === 'POST') {
        await this.#answers.turn.next()
        this.#answers.beginChange(flight)
      }
      if (method === 'POST') checkSubmitted(fields)
      const { services } = this.#admission
      const texts = choosePageTexts(services.state, exchange, request)
      const { userAgent } = request
      const page = await serve({ method, path, fields, exchange, userAgent, texts }, services)
      const drawn = 'content' in page ? this.#draw(page, texts) : page
      const headers = { ...exchange.cookies.headers, ...drawn.headers }
      this.#answers.answerPage(flight, {
        ...drawn,
        headers,
        rate: exchange.limits.rate,
        cookies: exchange.cookies.setCookies,
      })
    } catch (error) {
      this.#failTo(flight, request, exchange)(error)
    }
  }

  /** Answers errors by pages for people. */
  #failTo(flight: Flight, request: WireRequest, exchange: Exchange): (error: unknown) => void {
    return (error) => {
      if (error instanceof ClientGoneError) throw error
      const failure = toAnswerError(error, flight, exchange, this.#admission)
      const texts = choosePageTexts(this.#admission.services.state, exchange, request)
      const page = this.#draw(failurePage(failure, flight.path, texts), texts)
      const headers = { ...page.headers, ...errorHeaders(failure) }
      this.#answers.answerPage(flight, { ...page, headers, rate: exchange.limits.rate })
    }
  }

  #draw(page: PeoplesPage, texts: PageTexts): Page {
    const { organization, pictures } = this.#admission.services.state
    if (!organization) return drawPage(page, texts)
    const icon = organizationPictureUrl(pictures, 'icon')
    const owner = { name: organization.name, icon: icon === DEFAULT_ICON_URL ? TAB_ICON_PATH : icon }
    return drawPage(page, texts, owner)
  }

  /** Serves a page or a picture: both are public, so only their number for an address is limited. */
  async #servePage(flight: Flight, request: WireRequest, exchange: Exchange): Promise<void> {
    const { method, path, ifNoneMatch } = request
    const isPicture = isDrawnPath(path) || readPicturePath(path) !== undefined
    if (isPicture) {
      flight.asked = 'picture'
      checkReadOnly(method)
      exchange.enter(PICTURE_POLICY)
    } else if (!isHealthPath(path)) exchange.enter(isDocumentPath(path) ? DOCUMENT_POLICY : PAGE_POLICY)
    const found = this.#findPage(path, request)
    if (!found) throw fail('ENDPOINT_UNKNOWN')
    if (!isPicture) {
      flight.asked = 'page'
      checkReadOnly(method)
    }
    const page = await found
    const { ETag: version } = page.headers
    const isKnown = version !== undefined && ifNoneMatch.includes(version)
    this.#answers.answerPage(flight, isKnown ? { ...page, status: 304 } : page)
  }
}

/** Whether nothing can be written any more: it may end during any wait. */
function isOver({ isAnswered, isAborted }: Flight): boolean {
  return isAnswered || isAborted
}

function checkReadOnly(method: string): void {
  if (method !== 'GET' && method !== 'HEAD') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
}
