/** Reads single settings from the environment by their kind. */

import type { SettingName } from './settings.ts'

/** An invalid setting, explained in one line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Each returns a default or undefined if the setting is absent or empty, and throws a `ConfigError` if it is invalid. */
export type SettingReaders = ReturnType<typeof readersOf>

export function readersOf(env: Readonly<Record<string, string | undefined>>) {
  const read = (name: SettingName) => (env[name] === '' ? undefined : env[name])
  const integer = (name: SettingName, defaultValue: number, min: number, max: number): number => {
    const text = read(name)
    if (text === undefined) return defaultValue
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not '${text}'`)
  }
  const choice = (name: SettingName, defaultValue: string, options: readonly string[]): string => {
    const text = read(name) ?? defaultValue
    if (options.includes(text)) return text
    throw new ConfigError(`${name} must be one of ${options.join(', ')}, not '${text}'`)
  }
  const isOn = (name: SettingName, defaultValue: boolean): boolean =>
    choice(name, defaultValue ? 'on' : 'off', ['on', 'off']) === 'on'
  const url = (name: SettingName, protocols: readonly string[]): string | undefined => {
    const text = read(name)
    if (text === undefined) return undefined
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
    // The message omits the value, which may hold a password.
    const starts = protocols.map((protocol) => `${protocol}//`).join(' or ')
    throw new ConfigError(`${name} must be an address that starts with ${starts}`)
  }
  /** Requests to it carry secrets, so the connection must be encrypted. */
  const partnerUrl = (name: SettingName): string | undefined => {
    const text = url(name, ['https:', 'http:'])?.replace(/\/+$/, '')
    if (text === undefined) return undefined
    const { protocol, hostname } = new URL(text)
    if (protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
      throw new ConfigError(`${name} must be an address that starts with https://`)
    return text
  }
  return { read, integer, choice, isOn, url, partnerUrl }
}
