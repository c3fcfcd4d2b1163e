import { Alert } from '@mantine/core';
import Form from '@rjsf/mantine';
import type { RJSFValidationError, UiSchema } from '@rjsf/utils';
import { useMemo, useState, type ReactNode } from 'react';
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

/** A form for a JSON object that a schema describes. */
export const SchemaForm = (props: SchemaFormProps): ReactNode => {
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
        disabled={isDisabled}
        showErrorList={false}
        noHtml5Validate
        onChange={({ formData }) => onChange?.((formData ?? {}) as JsonObject)}
        // Without a receiver, the library writes problems to the console.
        onError={(errors) => setProblems(problemsOfWhole(errors))}
        onSubmit={({ formData }) => submit(formData)}
      />
      <Problems problems={problems} />
    </>
  );
};
