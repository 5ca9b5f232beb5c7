/** Checks passkeys by WebAuthn: always discoverable, and always with a check of the user by their device. */

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { StoredPasskey } from '../../../db/accounts/passkeys.ts'
import type { User } from '../../domain/entities.ts'
import { CHALLENGE_SECONDS, type NewPasskey, type RelyingParty } from '../../domain/accounts/passkeys.ts'

/** The answers of browsers, as they send them. */
export interface EnrolmentAnswer extends Pick<RegistrationResponseJSON, 'id' | 'rawId' | 'type'> {
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports: readonly string[] | undefined
  }
}
export type LoginAnswer = Pick<AuthenticationResponseJSON, 'id' | 'rawId' | 'type' | 'response'>

const TRANSPORTS: readonly AuthenticatorTransport[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb']
/** Loaded with the first passkey: it brings megabytes of certificate formats. */
const load = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')

/** The options with which a browser makes a passkey. */
export async function enrolmentOptions(
  { id: rpID }: RelyingParty,
  organization: string,
  { id, email, fullName }: User,
  present: readonly { readonly id: string; readonly transports: readonly string[] }[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await load()
  return generateRegistrationOptions({
    rpID,
    rpName: organization,
    userID: handleOf(id),
    userName: email,
    userDisplayName: fullName,
    timeout: CHALLENGE_SECONDS * 1000,
    // The maker of the device does not matter.
    attestationType: 'none',
    excludeCredentials: present.map((one) => ({
      id: one.id,
      transports: TRANSPORTS.filter((way) => one.transports.includes(way)),
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  })
}

/** The options with which a browser uses a passkey, of any account. */
export async function loginOptions({
  id: rpID,
}: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    timeout: CHALLENGE_SECONDS * 1000,
  })
}

/** The passkey that an answer adds; undefined if the answer is wrong. */
export async function checkEnrolment(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  answer: EnrolmentAnswer,
): Promise<
  Pick<NewPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'> | undefined
> {
  const { verifyRegistrationResponse } = await load()
  if (await hasCertificates(answer)) return undefined
  const { id, rawId, type } = answer
  const { clientDataJSON, attestationObject } = answer.response
  const response = {
    id,
    rawId,
    type,
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: {},
  }
  const { registrationInfo } = await refusing(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
    }),
  )
  if (!registrationInfo) return undefined
  const { credential, credentialBackedUp: isSynced } = registrationInfo
  const { id: credentialId, publicKey, counter } = credential
  const transports = TRANSPORTS.filter((way) => answer.response.transports?.includes(way))
  return { credentialId, publicKey, counter, transports, isSynced }
}

/** The new count of a passkey, if an answer proves it; a count that does not grow is a copy's, and is refused. */
export async function checkLogin(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  answer: LoginAnswer,
  { publicKey, counter, userId }: StoredPasskey,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load()
  if (answer.response.userHandle !== Buffer.from(handleOf(userId)).toString('base64url')) return undefined
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: { id: answer.id, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    }),
  )
  return verified ? authenticationInfo?.newCounter : undefined
}

/** The library throws at every wrong answer, by errors of many kinds. */
async function refusing<Result extends { readonly verified: boolean }>(check: () => Promise<Result>) {
  try {
    return await check()
  } catch {
    return { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const
  }
}

/** Whether an answer proves the maker of its device: nobody asked, and to check it the library fetches addresses in it. */
async function hasCertificates({ response: { attestationObject } }: EnrolmentAnswer): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers()
  try {
    const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = decoded.get('fmt')
    return format !== 'none' && (format !== 'packed' || decoded.get('attStmt').get('x5c') !== undefined)
  } catch {
    return true
  }
}

/** The name of an account for authenticators, which return it with a log-in. */
function handleOf(userId: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`user ${userId}`))
}
