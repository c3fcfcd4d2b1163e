import {
  isArgumentValue,
  toExecutionSpec,
  isStopRequested,
  listConnectionValues,
  parseExecutionRecord,
  parseExecution,
  mergeWorkflowStatus,
  formatStopAnnotation,
  applyStopRequest,
  computeWorkflowStatus,
  type McpServer,
} from '@gateway/crd-schemas';

const document = { spec: { steps: [{ id: 'get', tool: 'x_k8s_get' }] } };

/** The status of a workflow at two times: a condition that stays as it was keeps its time. */
const before = computeWorkflowStatus({ document, errors: [], at: 0 });
export const status = mergeWorkflowStatus(
  before,
  computeWorkflowStatus({ document, errors: [], at: 60_000 }),
);

/** Whether a caller's argument is of the declared type. */
export const fits = isArgumentValue('integer', 5);

/** A record that was read back, or why it is none. */
export const record = parseExecutionRecord({ execution_id: '' });

/** The same record as `spec` of an object, and back. */
export const stored = record.ok && parseExecution('', toExecutionSpec(record.value));

/** A request to stop a server is an annotation, so that it outlives the process. */
export const stopName = formatStopAnnotation('gateway.internal');

/** What a change of a server must not touch if its connections are to stay. */
export const connection = ({ spec }: McpServer) => listConnectionValues(spec);

export const stops = (server: McpServer) => isStopRequested(applyStopRequest(server, true));
