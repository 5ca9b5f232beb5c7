/** Sizes, growth and waiting work, for owners. */

import type { Usage } from '../../db/organization/usage.ts'
import { WORK_KINDS, type WorkKind } from '../../db/organization/waiting-work.ts'
import {
  arrayOf,
  BOOLEAN,
  INTEGER,
  NUMBER,
  oneOf,
  orNull,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'

/** Fewer messages than these are smaller than what empty tables and indexes take. */
const FEW_MESSAGES = 1_000

/** Schema of each part of `viewUsage`. */
export const USAGE = {
  storage: record({ database: INTEGER, messages: INTEGER, logs: INTEGER, files: INTEGER }),
  counts: record({
    messages: INTEGER,
    messages_last_month: INTEGER,
    bytes_per_message: orNull(INTEGER),
    files: INTEGER,
    files_last_month: INTEGER,
    file_bytes_last_month: INTEGER,
    growth_per_month: orNull(INTEGER),
    is_estimated: BOOLEAN,
  }),
  largest_channels: arrayOf(record({ stream_id: INTEGER, name: STRING, messages: INTEGER })),
  largest_users: arrayOf(
    record({ user_id: INTEGER, full_name: STRING, messages: INTEGER, file_bytes: INTEGER }),
  ),
  work: arrayOf(
    record({ kind: oneOf(...(WORK_KINDS as [WorkKind])), waiting: INTEGER, late_seconds: NUMBER }),
  ),
  queues: record({ all: INTEGER, connected: INTEGER, users: INTEGER }),
  devices: record({ browsers: INTEGER, browsers_reached: INTEGER, phones: INTEGER }),
}

export function viewUsage(usage: Usage) {
  const { storage, counts } = usage
  const bytesPerMessage =
    counts.messages < FEW_MESSAGES ? null : Math.round(storage.messages / counts.messages)
  return {
    storage,
    counts: {
      messages: counts.messages,
      messages_last_month: counts.messagesLastMonth,
      bytes_per_message: bytesPerMessage,
      files: counts.files,
      files_last_month: counts.filesLastMonth,
      file_bytes_last_month: counts.fileBytesLastMonth,
      growth_per_month:
        bytesPerMessage === null
          ? null
          : counts.messagesLastMonth * bytesPerMessage + counts.fileBytesLastMonth,
      is_estimated: counts.isEstimated,
    },
    largest_channels: usage.largestChannels.map(({ channelId, name, messages }) => ({
      stream_id: channelId,
      name,
      messages,
    })),
    largest_users: usage.largestUsers.map(({ userId, name, messages, fileBytes }) => ({
      user_id: userId,
      full_name: name,
      messages,
      file_bytes: fileBytes,
    })),
    work: usage.work.map(({ kind, waiting, lateSeconds }) => ({ kind, waiting, late_seconds: lateSeconds })),
    queues: usage.queues,
    devices: {
      browsers: usage.devices.browsers,
      browsers_reached: usage.devices.browsersReached,
      phones: usage.devices.phones,
    },
  } satisfies { [Part in keyof typeof USAGE]: ValueOf<(typeof USAGE)[Part]> }
}
