/** Apps that wait while a person logs in by a browser, as the fields of its address name them. */

import { isPad } from './one-time-pad.ts'

/** The names of the fields, by the kind of the app; each has a one-time pad, which for the desktop is a key. */
export const APP_FIELDS = { mobile: 'mobile_flow_otp', desktop: 'desktop_flow_otp' } as const

/** An app that waits. */
export interface WaitingApp {
  readonly kind: keyof typeof APP_FIELDS
  /** 64 hex digits. */
  readonly pad: string
}

/** The app of a request; undefined if a browser logs in for itself. */
export function readWaitingApp(fields: ReadonlyMap<string, string>): WaitingApp | 'malformed' | undefined {
  for (const kind of ['mobile', 'desktop'] as const) {
    const pad = fields.get(APP_FIELDS[kind])
    if (pad !== undefined) return isPad(pad) ? { kind, pad } : 'malformed'
  }
  return undefined
}

/** The same app as fields. */
export function fieldsOfApp(app: WaitingApp | undefined): Readonly<Record<string, string>> {
  return app ? { [APP_FIELDS[app.kind]]: app.pad } : {}
}
