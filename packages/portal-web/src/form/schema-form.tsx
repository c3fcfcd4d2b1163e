import { Alert, Text } from '@mantine/core';
import Form from '@rjsf/mantine';
import type { RJSFValidationError, UiSchema } from '@rjsf/utils';
import { useMemo, useState, type ReactNode } from 'react';
import type { JsonObject } from '../mcp/mcp-outcome.ts';
import { isTooLargeForForm } from './form-cost.ts';
import { formSchemaOf, hasMissingField, hasText } from './form-schema.ts';
import { JsonForm } from './json-form.tsx';
import { schemaValidator } from './schema-validator.ts';
import { TextWidget } from './text-widget.tsx';

/** The properties of {@link SchemaForm}. */
export interface SchemaFormProps {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  readonly submitLabel: string;
  readonly isDisabled?: boolean;
  readonly onChange?: (value: JsonObject) => void;
  readonly onSubmit: (value: JsonObject) => void;
}

const WIDGETS = { TextWidget };

const uiSchemaOf = (submitText: string): UiSchema => ({
  'ui:submitButtonOptions': { submitText },
});

/** Required items are added by the person: a server may require any number of them. */
const DEFAULTS = { arrayMinItems: { populate: 'never' } } as const;

/** The path of the whole object; it has no field that could show a problem. */
const WHOLE = '.';

const problemsOfWhole = (errors: readonly RJSFValidationError[]): readonly string[] =>
  errors.flatMap(({ property, message }) => (property === WHOLE ? (message ?? []) : []));

const Problems = ({ problems }: { readonly problems: readonly string[] }): ReactNode =>
  problems.map((problem) => (
    <Alert key={problem} color="red" role="alert">
      <bdi>{problem}</bdi>
    </Alert>
  ));

const LinesHint = ({ schema }: { readonly schema: unknown }): ReactNode =>
  hasText(schema) && (
    <Text size="xs" c="dimmed">
      Shift+Enter begins a new line in a text.
    </Text>
  );

const TooLarge = ({ isDisabled = false, onChange, ...form }: SchemaFormProps): ReactNode => (
  <>
    <Alert color="yellow">The schema is too large for a form. Enter the values as JSON.</Alert>
    <JsonForm {...form} isDisabled={isDisabled} onChange={(value) => onChange?.(value)} />
  </>
);

const FieldForm = (props: SchemaFormProps): ReactNode => {
  const { schema, value, submitLabel, isDisabled = false, onChange, onSubmit } = props;
  const formSchema = useMemo(() => formSchemaOf(schema), [schema]);
  const isIncomplete = useMemo(() => hasMissingField(schema), [schema]);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const submit = (given: unknown): void => {
    setProblems([]);
    onSubmit((given ?? {}) as JsonObject);
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
        uiSchema={uiSchemaOf(submitLabel)}
        formData={value}
        validator={schemaValidator}
        widgets={WIDGETS}
        disabled={isDisabled}
        showErrorList={false}
        noHtml5Validate
        experimental_defaultFormStateBehavior={DEFAULTS}
        onChange={({ formData }) => onChange?.((formData ?? {}) as JsonObject)}
        // Without a receiver, the library writes problems to the console.
        onError={(errors) => setProblems(problemsOfWhole(errors))}
        onSubmit={({ formData }) => submit(formData)}
      />
      <LinesHint schema={formSchema} />
      <Problems problems={problems} />
    </>
  );
};

/** A form for a JSON object that a schema describes; a schema that would keep the browser busy is filled in as JSON. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const isTooLarge = useMemo(() => isTooLargeForForm(props.schema), [props.schema]);
  return isTooLarge ? <TooLarge {...props} /> : <FieldForm {...props} />;
};
