import { Textarea } from '@mantine/core';
import { Templates } from '@rjsf/mantine';
import type { WidgetProps } from '@rjsf/utils';
import type { KeyboardEvent, ReactNode } from 'react';

const MAX_ROWS = 12;

const { BaseInputTemplate: Input } = Templates;

/** A text of no form of its own, such as an address or a date, can have several lines. */
const hasLines = ({ schema: { type, format, examples }, options }: WidgetProps): boolean =>
  type === 'string' &&
  format === undefined &&
  examples === undefined &&
  options.inputType === undefined;

/** Enter submits, as in a field of one line. A key that ends the input of a composed character does not. */
const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
};

const Lines = ({
  id,
  htmlName,
  value,
  label,
  hideLabel,
  schema,
  options,
  rawErrors = [],
  onChange,
  ...props
}: WidgetProps): ReactNode => (
  <Textarea
    id={id}
    name={htmlName ?? id}
    label={hideLabel === true ? undefined : label}
    description={hideLabel === true ? undefined : (options.description ?? schema.description)}
    value={typeof value === 'string' ? value : ''}
    required={props.required ?? false}
    disabled={props.disabled === true || props.readonly === true}
    placeholder={props.placeholder}
    error={rawErrors.length > 0 ? rawErrors.join('\n') : undefined}
    autosize
    minRows={1}
    maxRows={MAX_ROWS}
    onKeyDown={submitOnEnter}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === '' ? options.emptyValue : currentTarget.value)
    }
  />
);

/** The field of a text: with several lines, or as the form library has it where the schema asks for another input. */
export const TextWidget = (props: WidgetProps): ReactNode => {
  if (hasLines(props)) return <Lines {...props} />;
  return Input === undefined ? null : <Input {...props} />;
};
