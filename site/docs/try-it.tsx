import type { JsonSchema } from '../../api/rest/openapi-types.ts'
import { exampleBody } from '../discovery/llms-full.ts'
import type { Operation } from './operations.ts'

/**
 * A form that calls the API with a key of the visitor. The script of the page shows it and sends the call; the key stays in its
 * field, so it is gone with the page.
 */

/** A field for a key that works here: any key is one call away, that of a paid operation is not. */
function KeyField({ id, isFree }: { id: string; isFree: boolean }) {
  return (
    <div>
      <label for={`${id}-key`}>Your key</label>
      <input id={`${id}-key`} data-key type="password" autocomplete="off" spellcheck={false} placeholder="hs_…" />
      <p class="hint">
        It stays in this field and is sent to this site only. No key yet?{' '}
        {isFree ? (
          <button type="button" class="second small" data-get-key>
            Get a free one
          </button>
        ) : (
          <a href="/plans">This needs a key of a paid plan.</a>
        )}
      </p>
    </div>
  )
}

const Outcome = () => (
  <div class="outcome" data-outcome aria-live="polite" hidden>
    <p>
      <strong data-status /> <span class="quiet" data-took />
    </p>
    <pre role="group" tabindex={0} aria-label="Headers of the answer">
      <code data-headers />
    </pre>
    <pre role="group" tabindex={0} aria-label="The answer">
      <code data-answer />
    </pre>
  </div>
)

const NeedsScript = () => (
  <p data-without-script>To try a call from this page, allow its script; the request for a shell is below.</p>
)

/** Tries an operation of the REST API. */
export function TryOperation({ one: { id, method, path, operation, tier } }: { one: Operation }) {
  const { parameters = [], requestBody } = operation
  const body = requestBody?.content['application/json']?.schema as JsonSchema | undefined
  return (
    <>
      <NeedsScript />
      <form class="try" data-try={method} data-path={path} hidden>
        {tier !== null && <KeyField id={id} isFree={tier === 'Free'} />}
        <div class="try-fields">
          {parameters.map(({ name, in: place, required, schema, example: shown }) => (
            <div>
              <label for={`${id}-${name}`}>
                <code>{name}</code>
                {required ? ', required' : ''}
              </label>
              <ParameterInput
                id={`${id}-${name}`}
                name={name}
                place={place}
                schema={schema}
                value={required ? shown : undefined}
                placeholder={shown}
              />
            </div>
          ))}
        </div>
        {body && (
          <div>
            <label for={`${id}-body`}>Body, as JSON</label>
            <textarea id={`${id}-body`} data-body rows={4} spellcheck={false}>
              {JSON.stringify(exampleBody(body))}
            </textarea>
          </div>
        )}
        <button>Send</button>
        <Outcome />
      </form>
    </>
  )
}

interface InputProps {
  id: string
  name: string
  place: string
  schema: JsonSchema
  value: unknown
  placeholder: unknown
}

function ParameterInput({ id, name, place, schema, value, placeholder }: InputProps) {
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null)
  if (choices)
    return (
      <select id={id} name={name} data-in={place}>
        <option value="">not given</option>
        {choices.map((choice) => (
          <option value={String(choice)} selected={choice === value}>
            {String(choice)}
          </option>
        ))}
      </select>
    )
  return (
    <input
      id={id}
      name={name}
      data-in={place}
      autocomplete="off"
      spellcheck={false}
      value={value === undefined ? '' : String(value)}
      placeholder={placeholder === undefined ? '' : String(placeholder)}
    />
  )
}

/** Tries a tool of the MCP server. */
export function TryTool({
  name,
  example,
  path,
  isFree,
}: {
  name: string
  example: unknown
  path: string
  isFree: boolean
}) {
  return (
    <>
      <NeedsScript />
      <form class="try" data-try="POST" data-path={path} data-tool={name} hidden>
        <KeyField id={name} isFree={isFree} />
        <label for={`${name}-arguments`}>Arguments, as JSON</label>
        <textarea id={`${name}-arguments`} data-body rows={5} spellcheck={false}>
          {JSON.stringify(example, null, 2)}
        </textarea>
        <button>Call the tool</button>
        <Outcome />
      </form>
    </>
  )
}
