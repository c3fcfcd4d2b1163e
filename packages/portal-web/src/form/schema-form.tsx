import { Alert } from '@mantine/core';
import Form from '@rjsf/mantine';
import type { UiSchema } from '@rjsf/utils';
import { useMemo, type ReactNode } from 'react';
import type { JsonObject } from '../mcp/mcp-outcome.ts';
import { formSchemaOf, hasMissingField } from './form-schema.ts';
import { schemaValidator } from './schema-validator.ts';

/** The properties of {@link SchemaForm}. */
export interface SchemaFormProps {
  readonly schema: JsonObject;
  readonly value: JsonObject;
  readonly submitLabel: string;
  readonly isDisabled?: boolean;
  readonly onChange?: (value: JsonObject) => void;
  readonly onSubmit: (value: JsonObject) => void;
}

const uiSchemaOf = (submitText: string): UiSchema => ({
  'ui:submitButtonOptions': { submitText },
});

/** A form for a JSON object that a schema describes. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
  const { schema, value, submitLabel, isDisabled = false, onChange, onSubmit } = props;
  const formSchema = useMemo(() => formSchemaOf(schema), [schema]);
  const isIncomplete = useMemo(() => hasMissingField(schema), [schema]);
  const form = (
    <Form
      schema={formSchema}
      uiSchema={uiSchemaOf(submitLabel)}
      formData={value}
      validator={schemaValidator}
      disabled={isDisabled}
      showErrorList={false}
      noHtml5Validate
      onChange={({ formData }) => onChange?.((formData ?? {}) as JsonObject)}
      // The fields show their problems; the library would also write them to the console.
      onError={() => undefined}
      onSubmit={({ formData }) => onSubmit((formData ?? {}) as JsonObject)}
    />
  );
  if (!isIncomplete) return form;
  return (
    <>
      <Alert color="yellow">
        A form has no field for the property __proto__. JSON can have it.
      </Alert>
      {form}
    </>
  );
};
