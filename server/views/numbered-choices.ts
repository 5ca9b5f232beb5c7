/** Choices whose number is sent. */

import { INTEGER, mapOf, record, STRING } from '../domain/json-schema.ts'

/** Schema of choices by key, each with its number and the name that clients show. */
export const NUMBERED_CHOICES = mapOf(record({ name: STRING, id: INTEGER }))
