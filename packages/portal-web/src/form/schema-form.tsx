import { type JsonObject, toText } from '@gateway/call-contract';
import { Alert, Button, JsonInput, Stack, Text, Textarea } from '@mantine/core';
import Form from '@rjsf/mantine';
import { Templates } from '@rjsf/mantine';
import type {
  DescriptionFieldProps,
  RJSFValidationError,
  TitleFieldProps,
  UiSchema,
  UnsupportedFieldProps,
  WidgetProps,
} from '@rjsf/utils';
import { Component, type KeyboardEvent, type ReactNode, useMemo, useState } from 'react';
import { isTooLargeForForm } from './form-cost.ts';
import { FormProblems } from './form-problems.tsx';
import { hasMissingField, hasText, toFormSchema } from './form-schema.ts';
import { schemaValidator } from './schema-validator.ts';
import { parseObject } from '../mcp/json.ts';

interface FormBoundaryProps {
  /** Rendered instead of a form that failed. */
  readonly fallback: ReactNode;
  readonly children: ReactNode;
}

/** Limits an error to the form: the form library throws for some schemas, which servers choose. */
class FormBoundary extends Component<FormBoundaryProps, { readonly hasFailed: boolean }> {
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override state = { hasFailed: false };

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}

/** Replaces a field that the form library cannot render, such as a list without an `items` schema. */
const UnsupportedField = ({ fieldPathId }: UnsupportedFieldProps): ReactNode => (
  <Alert color="yellow" style={{ overflowWrap: 'anywhere' }}>
    A form has no field for <bdi>{fieldPathId.path.join('.')}</bdi>. Enter the value as JSON.
  </Alert>
);

const MAX_ROWS = 12;

const { BaseInputTemplate: Input } = Templates;

/** Returns whether a text may have several lines: a string without a format such as `uri` or `date`. */
const isMultiline = ({ schema: { type, format, examples }, options }: WidgetProps): boolean =>
  type === 'string' &&
  format === undefined &&
  examples === undefined &&
  options.inputType === undefined;

/** Submits on Enter, as in a single-line field, except while an input method composes a character. */
const submitOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
};

const MultilineInput = ({
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
    value={toText(value)}
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

/** A text field: a text area for plain strings, otherwise the default input of the form library. */
const TextWidget = (props: WidgetProps): ReactNode => {
  if (isMultiline(props)) return <MultilineInput {...props} />;
  return Input === undefined ? null : <Input {...props} />;
};

export interface JsonFormProps extends Omit<SchemaFormProps, 'schema'> {
  readonly isDisabled: boolean;
  /** Called after each edit that leaves a valid JSON object. */
  readonly onChange: (value: JsonObject) => void;
}

/** A text editor for a JSON object, with a submit button. */
export const JsonForm = (props: JsonFormProps): ReactNode => {
  const { value, submitLabel, isDisabled, onChange, onSubmit } = props;
  const [text, setText] = useState(() => JSON.stringify(value, undefined, 2));
  const [hasProblem, setProblem] = useState(false);
  const change = (next: string): void => {
    setText(next);
    const object = parseObject(next);
    if (object !== undefined) onChange(object);
  };
  const submit = (): void => {
    const object = parseObject(text);
    setProblem(object === undefined);
    if (object !== undefined) onSubmit?.(object);
  };
  return (
    <Stack align="flex-start">
      <JsonInput
        label="Arguments"
        w="100%"
        autosize
        minRows={6}
        maxRows={30}
        value={text}
        onChange={change}
        {...(hasProblem && { error: 'The arguments are not a JSON object.' })}
      />
      {submitLabel !== undefined && (
        <Button disabled={isDisabled} onClick={submit}>
          {submitLabel}
        </Button>
      )}
    </Stack>
  );
};

interface SchemaFormProps {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  /** The text of the button that submits; without it there is no button. */
  readonly submitLabel?: string;
  readonly isDisabled?: boolean;
  /** False where a value that is not entered stays absent. */
  readonly hasDefaults?: boolean;
  readonly onChange?: (value: JsonObject) => void;
  readonly onSubmit?: (value: JsonObject) => void;
}

const WIDGETS = { TextWidget };
/** The name of a group of fields, in the size of the names of fields. */
const GroupTitle = ({ id, title }: TitleFieldProps): ReactNode => (
  <Text id={id} fw={600} size="sm" mb={4}>
    <bdi>{title}</bdi>
  </Text>
);

const GroupDescription = ({ id, description }: DescriptionFieldProps): ReactNode => (
  <Text id={id} size="xs" c="dimmed" component="div" mb={4}>
    {description}
  </Text>
);

const TEMPLATES = {
  UnsupportedFieldTemplate: UnsupportedField,
  TitleFieldTemplate: GroupTitle,
  DescriptionFieldTemplate: GroupDescription,
};

const toUiSchema = (submitText: string | undefined): UiSchema => ({
  'ui:submitButtonOptions':
    submitText === undefined ? { norender: true } : { submitText, norender: false },
});

/** The form does not add required items by itself: a schema may require any number of items. */
const DEFAULTS = { arrayMinItems: { populate: 'never' } } as const;
const NO_DEFAULTS = { ...DEFAULTS, emptyObjectFields: 'skipDefaults' } as const;

const MultilineHint = ({ schema }: { readonly schema: unknown }): ReactNode =>
  hasText(schema) && (
    <Text size="xs" c="dimmed">
      Shift+Enter begins a new line in a text.
    </Text>
  );

/** A JSON editor in place of form fields, with the reason. */
const JsonFallback = ({
  reason,
  isDisabled = false,
  onChange,
  ...form
}: SchemaFormProps & { readonly reason: string }): ReactNode => (
  <>
    <Alert color="yellow">{`${reason} Enter the values as JSON.`}</Alert>
    <JsonForm {...form} isDisabled={isDisabled} onChange={(value) => onChange?.(value)} />
  </>
);

const FieldForm = (props: SchemaFormProps): ReactNode => {
  const { schema, value, submitLabel, isDisabled = false, onChange, onSubmit } = props;
  const { hasDefaults = true } = props;
  const formSchema = useMemo(() => toFormSchema(schema), [schema]);
  const isIncomplete = useMemo(() => hasMissingField(schema), [schema]);
  const [problems, setProblems] = useState<readonly RJSFValidationError[]>([]);
  const change = (given: unknown): void => {
    setProblems([]);
    onChange?.((given ?? {}) as JsonObject);
  };
  return (
    <>
      {isIncomplete && (
        <Alert color="yellow">
          A form has no field for the property __proto__. JSON can have it.
        </Alert>
      )}
      <Form
        schema={formSchema}
        uiSchema={toUiSchema(submitLabel)}
        formData={value}
        validator={schemaValidator}
        widgets={WIDGETS}
        templates={TEMPLATES}
        disabled={isDisabled}
        showErrorList={false}
        noHtml5Validate
        experimental_defaultFormStateBehavior={hasDefaults ? DEFAULTS : NO_DEFAULTS}
        onChange={({ formData }) => change(formData)}
        // Without a handler, the library writes problems to the console.
        onError={setProblems}
        onSubmit={({ formData }) => onSubmit?.((formData ?? {}) as JsonObject)}
      />
      <MultilineHint schema={formSchema} />
      <FormProblems problems={problems} />
    </>
  );
};

/** A form for the JSON object of a schema. Falls back to a JSON editor when the schema is too large or not supported. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const isTooLarge = useMemo(() => isTooLargeForForm(props.schema), [props.schema]);
  if (isTooLarge) return <JsonFallback {...props} reason="The schema is too large for a form." />;
  const fallback = <JsonFallback {...props} reason="The schema has an error, and no form." />;
  return (
    <FormBoundary fallback={fallback}>
      <FieldForm {...props} />
    </FormBoundary>
  );
};
