import { Alert, Text } from '@mantine/core';
import Form from '@rjsf/mantine';
import type { RJSFValidationError, UiSchema } from '@rjsf/utils';
import { useMemo, useState, type ReactNode } from 'react';
import type { JsonObject } from '../mcp/mcp-outcome.ts';
import { FormBoundary } from './form-boundary.tsx';
import { isTooLargeForForm } from './form-cost.ts';
import { FormProblems } from './form-problems.tsx';
import { formSchemaOf, hasMissingField, hasText } from './form-schema.ts';
import { JsonForm } from './json-form.tsx';
import { schemaValidator } from './schema-validator.ts';
import { TextWidget } from './text-widget.tsx';
import { UnsupportedField } from './unsupported-field.tsx';

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
const TEMPLATES = { UnsupportedFieldTemplate: UnsupportedField };

const uiSchemaOf = (submitText: string): UiSchema => ({
  'ui:submitButtonOptions': { submitText },
});

/** Required items are added by the person: a server may require any number of them. */
const DEFAULTS = { arrayMinItems: { populate: 'never' } } as const;

const LinesHint = ({ schema }: { readonly schema: unknown }): ReactNode =>
  hasText(schema) && (
    <Text size="xs" c="dimmed">
      Shift+Enter begins a new line in a text.
    </Text>
  );

/** A form as JSON, and why it has no fields. */
const WithoutFields = ({
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
  const formSchema = useMemo(() => formSchemaOf(schema), [schema]);
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
        uiSchema={uiSchemaOf(submitLabel)}
        formData={value}
        validator={schemaValidator}
        widgets={WIDGETS}
        templates={TEMPLATES}
        disabled={isDisabled}
        showErrorList={false}
        noHtml5Validate
        experimental_defaultFormStateBehavior={DEFAULTS}
        onChange={({ formData }) => change(formData)}
        // Without a receiver, the library writes problems to the console.
        onError={setProblems}
        onSubmit={({ formData }) => onSubmit((formData ?? {}) as JsonObject)}
      />
      <LinesHint schema={formSchema} />
      <FormProblems problems={problems} />
    </>
  );
};

/** A form for a JSON object that a schema describes; as JSON where the schema would keep the browser busy, or has no form. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const isTooLarge = useMemo(() => isTooLargeForForm(props.schema), [props.schema]);
  if (isTooLarge) return <WithoutFields {...props} reason="The schema is too large for a form." />;
  const fallback = <WithoutFields {...props} reason="The schema has an error, and no form." />;
  return (
    <FormBoundary fallback={fallback}>
      <FieldForm {...props} />
    </FormBoundary>
  );
};
