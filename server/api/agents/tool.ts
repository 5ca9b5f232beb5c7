/** The form of a tool: its arguments, its effect, and how clients see it. */

import { fail } from '../../errors/api-error.ts'
import { type Params, type ValuesOf } from '../params.ts'
import type { AgentCaller, OperationName } from './agent-caller.ts'
import type { JsonObject } from './versions.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The operation that it stands for: a key that does not open this one does not have the tool. */
  readonly operation: OperationName
  /** Whether it changes something, and whether a repetition changes nothing more. */
  readonly effect: 'reads' | 'adds' | 'adds once'
  readonly params: Params
  run(caller: AgentCaller, values: JsonObject): Promise<JsonObject>
}

/** Declares a tool. */
export function tool<P extends Params>(
  definition: Omit<Tool, 'params' | 'run'> & {
    readonly params: P
    run(caller: AgentCaller, values: ValuesOf<P>): Promise<JsonObject>
  },
): Tool {
  return definition as unknown as Tool
}

/** A tool as clients see it. */
export function viewTool({ name, title, description, effect, params }: Tool): object {
  const known = Object.entries(params)
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        known.map(([param, { type, description: about, defaultValue }]) => [
          param,
          {
            ...type.schema,
            description: about,
            ...(defaultValue === undefined ? {} : { default: defaultValue }),
          },
        ]),
      ),
      required: known.filter(([, { isRequired }]) => isRequired).map(([param]) => param),
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      destructiveHint: false,
      idempotentHint: effect !== 'adds',
      // Emails and webhooks bring the words of anybody into channels.
      openWorldHint: true,
    },
  }
}

/** The arguments of a call; throws an `ApiError` that names the wrong one. Models send null for what they leave out. */
export function readArguments(params: Params, given: JsonObject): JsonObject {
  for (const name of Object.keys(given))
    if (!Object.hasOwn(params, name))
      throw fail('PARAMETER_INVALID', { message: `Unknown argument: ${name}` })
  const values: Record<string, unknown> = {}
  for (const [name, { type, isRequired, defaultValue }] of Object.entries(params)) {
    const value = Object.hasOwn(given, name) ? (given[name] ?? undefined) : undefined
    if (value !== undefined) values[name] = type.check(value, name)
    else if (isRequired) throw fail('PARAMETER_MISSING', { name })
    else values[name] = defaultValue
  }
  return values
}
