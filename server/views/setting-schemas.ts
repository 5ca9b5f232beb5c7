/** The schemas of settings, from their tables. */

import {
  BOOLEAN,
  describe,
  INTEGER,
  oneOf,
  oneOfIntegers,
  orNull,
  type Schema,
  STRING,
} from '../domain/json-schema.ts'
import type { Setting } from '../domain/settings/setting-kinds.ts'

/** The schema of a setting's values, with its meaning. */
export function settingSchema(setting: Setting<unknown>): Schema {
  return describe(schemaOfKind(setting), setting.meaning)
}

function schemaOfKind(setting: Setting<unknown>): Schema {
  switch (setting.kind) {
    case 'flag':
      return BOOLEAN
    case 'number':
      return INTEGER
    case 'text':
    case 'formed':
    case 'language':
      return STRING
    case 'server':
      return orNull(STRING)
    case 'choice':
      return typeof setting.initial === 'number'
        ? oneOfIntegers(...(setting.options as readonly number[]))
        : oneOf(...(setting.options as readonly string[]))
  }
}
