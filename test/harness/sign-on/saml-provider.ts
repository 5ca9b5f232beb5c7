/** An identity provider by SAML: it reads requests, and signs whatever answers a test wants. */

import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'
import type { Browser, BrowserAnswer } from '../browser/browser.ts'
import { PROVIDER } from './saml-keys.ts'

const ENTITY_ID = 'https://idp.example.com/saml'
const CANONICAL = 'http://www.w3.org/2001/10/xml-exc-c14n#'

/** The entry of `SAML_PROVIDERS` for it. */
export const SAML_SETTINGS = {
  name: 'company',
  display_name: 'The company',
  entity_id: ENTITY_ID,
  url: 'https://idp.example.com/sso',
  certificates: PROVIDER.certificate,
}

/** A request, as the provider reads it. */
export interface SamlRequest {
  readonly id: string
  readonly issuer: string
  readonly answerUrl: string
  readonly state: string
}

/** The data of an answer; each has a right default. */
export interface SamlAnswer {
  readonly nameId?: string
  readonly nameIdFormat?: string
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>
  readonly issuer?: string
  readonly audience?: string
  readonly inResponseTo?: string
  /** Seconds from now until it ends. */
  readonly seconds?: number
  readonly signs?: readonly ('assertion' | 'response')[]
  readonly key?: string
  readonly certificate?: string
  /** Another address than ours. */
  readonly recipient?: string
  /** Without conditions, or without a confirmation. */
  readonly lacks?: 'conditions' | 'confirmation'
}

/** Reads the request to which the server redirects. */
export function readSamlRequest(location: string): SamlRequest {
  const { searchParams } = new URL(location)
  const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString('utf8')
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? ''
  return {
    id: find(/ ID="([^"]+)"/),
    issuer: find(/Issuer[^>]*>([^<]+)</),
    answerUrl: find(/AssertionConsumerServiceURL="([^"]+)"/),
    state: searchParams.get('RelayState') ?? '',
  }
}

/** Begins a log-in; returns the request. */
export async function beginSaml(
  browser: Browser,
  fields: Readonly<Record<string, string>> = {},
): Promise<SamlRequest> {
  const { status, headers, text } = await browser.send('GET', `/accounts/login/saml/${SAML_SETTINGS.name}`, {
    fields,
  })
  const location = headers.get('location')
  if (status !== 303 || location === null) throw new Error(`the start answers ${status}: ${text}`)
  return readSamlRequest(location)
}

/** Posts an answer, as the page of the provider makes the browser do. */
export function postSaml(browser: Browser, xml: string, state: string): Promise<BrowserAnswer> {
  return browser.send('POST', `/accounts/login/saml/${SAML_SETTINGS.name}/answer`, {
    fields: { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: state },
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://idp.example.com' },
  })
}

/** Posts an answer and follows to the end of the log-in. */
export async function returnSaml(browser: Browser, xml: string, state: string): Promise<BrowserAnswer> {
  const answer = await postSaml(browser, xml, state)
  const location = answer.headers.get('location')
  return answer.status === 303 && location !== null ? browser.send('GET', location) : answer
}

/** A whole log-in with an answer. */
export async function signOnSaml(
  browser: Browser,
  answer: SamlAnswer,
  fields: Readonly<Record<string, string>> = {},
): Promise<BrowserAnswer> {
  const request = await beginSaml(browser, fields)
  return returnSaml(browser, answerXml(request, answer), request.state)
}

/** The signed answer to a request. */
export function answerXml(request: SamlRequest, answer: SamlAnswer): string {
  const { signs = ['assertion', 'response'] } = answer
  let xml = plainXml(request, answer)
  for (const part of signs) xml = sign(xml, part === 'assertion' ? 'Assertion' : 'Response', answer)
  return xml
}

function plainXml({ id, issuer: audience, answerUrl }: SamlRequest, answer: SamlAnswer): string {
  const { nameId = 'someone', issuer = ENTITY_ID, seconds = 300, inResponseTo = id, lacks } = answer
  const { nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' } = answer
  const now = Date.now()
  const time = (ms: number) => new Date(ms).toISOString()
  const [begin, end] = [time(now - 300_000), time(now + seconds * 1000)]
  const attributes = Object.entries(answer.attributes ?? {}).map(([name, value]) => {
    const values = [value].flat().map((one) => `<saml:AttributeValue>${escape(one)}</saml:AttributeValue>`)
    return `<saml:Attribute Name="${name}">${values.join('')}</saml:Attribute>`
  })
  const confirmation = `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData InResponseTo="${inResponseTo}" NotOnOrAfter="${end}" Recipient="${answer.recipient ?? answerUrl}"/></saml:SubjectConfirmation>`
  const conditions = `<saml:Conditions NotBefore="${begin}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${answer.audience ?? audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>`
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_response" Version="2.0" IssueInstant="${time(now)}" Destination="${answerUrl}" InResponseTo="${inResponseTo}"><saml:Issuer>${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_assertion" Version="2.0" IssueInstant="${time(now)}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID>${lacks === 'confirmation' ? '' : confirmation}</saml:Subject>${lacks === 'conditions' ? '' : conditions}<saml:AuthnStatement AuthnInstant="${time(now)}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

function sign(xml: string, element: 'Assertion' | 'Response', { key = PROVIDER.key }: SamlAnswer): string {
  const xpath = `//*[local-name(.)='${element}']`
  const signature = new SignedXml({
    privateKey: key,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: CANONICAL,
  })
  signature.addReference({
    xpath,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', CANONICAL],
  })
  signature.computeSignature(xml, {
    location: { reference: `${xpath}/*[local-name(.)='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}
