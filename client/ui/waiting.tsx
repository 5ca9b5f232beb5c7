/** A wait that shows something of the right shape at once, and says what it waits for. */

interface WaitingProps {
  readonly text: string
  /** Whether messages or lines with pictures will come: the styles draw rows in their place. */
  readonly isForRows?: boolean
}

export function Waiting({ text, isForRows = false }: WaitingProps) {
  return (
    <p class={isForRows ? 'waiting for-rows' : 'waiting'} role="status">
      <span>{text}</span>
    </p>
  )
}
