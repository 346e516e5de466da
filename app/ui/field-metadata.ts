import type { FieldMetadata } from '@conform-to/react'

export interface FieldState {
  name: string
  id?: string | undefined
  initialValue?: string | undefined
  errors?: string[] | null | undefined
}

/** What conform's helpers need to know of a field; the id is the name unless the page has that twice. */
export function fieldMetadata({ name, id = name, initialValue, errors }: FieldState): FieldMetadata<string> {
  const errorList = errors?.length ? errors : undefined
  return {
    name,
    id,
    initialValue,
    errors: errorList,
    errorId: `${id}-error`,
    valid: !errorList,
  } as FieldMetadata<string>
}
