/** The kinds of settings with their defaults: the tables of settings are built from these. */

/** A setting, with its meaning for the reference. */
export type Setting<Value> = { readonly initial: Value; readonly meaning: string } & (
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly options: readonly Value[] }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  /** Unicode code points at most. */
  | { readonly kind: 'text'; readonly lengthMax: number }
  /** Text of a form, or empty. */
  | { readonly kind: 'formed'; readonly lengthMax: number; readonly isValid: (text: string) => boolean }
  /** The code of a language. */
  | { readonly kind: 'language' }
  /** The address of another server, or null for none. */
  | { readonly kind: 'server' }
)

type SettingTable = Readonly<Record<string, Setting<unknown>>>

/** The values of a table of settings. */
export type ValuesOfSettings<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never
}

export const flag = (initial: boolean, meaning: string): Setting<boolean> => ({
  kind: 'flag',
  initial,
  meaning,
})

export const between = (min: number, max: number, initial: number, meaning: string): Setting<number> => {
  return { kind: 'number', initial, min, max, meaning }
}

export const choice = <const Option extends string | number>(
  options: readonly Option[],
  initial: NoInfer<Option>,
  meaning: string,
): Setting<Option> => ({ kind: 'choice', initial, options, meaning })

export const ofText = (lengthMax: number, meaning: string): Setting<string> => {
  return { kind: 'text', initial: '', lengthMax, meaning }
}

export const formedText = (
  lengthMax: number,
  isValid: (text: string) => boolean,
  meaning: string,
): Setting<string> => ({ kind: 'formed', initial: '', lengthMax, isValid, meaning })

export const language = (initial: string, meaning: string): Setting<string> => {
  return { kind: 'language', initial, meaning }
}

export const server = (meaning: string): Setting<string | null> => ({
  kind: 'server',
  initial: null,
  meaning,
})

/** The default of every setting in a table. */
export function initialValues<Table extends SettingTable>(table: Table): ValuesOfSettings<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { initial }]) => [name, initial]),
  ) as ValuesOfSettings<Table>
}
