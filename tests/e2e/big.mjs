// Rollouts as large as one likes, grown from a real one: the same turns over and over, with reasoning of generated prose.

/** Words that look like a planner's notes; the same for the same seed. */
function* words(seed) {
  const stock = ['ship', 'section', 'hour', 'crane', 'window', 'wind', 'before', 'after', 'free', 'late', 'quay', 'moves', 'keeps', 'conflict', 'cost', 'so', 'then', 'if', 'at', 'and'];
  let state = seed >>> 0;
  for (;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state % 7 === 0 ? `${state % 168}` : stock[(state >>> 8) % stock.length];
  }
}

/** Prose of about so many characters, in paragraphs. */
function prose(seed, length) {
  const source = words(seed);
  let text = '';
  for (let written = 0, line = 0; written < length; ) {
    const word = source.next().value;
    text += word;
    written += word.length + 1;
    line += word.length + 1;
    if (line > 600) {
      text += '.\n\n';
      line = 0;
    } else text += ' ';
  }
  return text;
}

/**
 * A record of about `bytes` bytes and `turns` turns: the turns of `record`, which must hold a checked plan, again and
 * again. Every turn has a number in its plan that no other has, so that no two drafts are the same.
 */
export function grown(record, { bytes, turns }) {
  const opening = record.messages.filter(({ role }) => role === 'system' || role === 'user').slice(0, 2);
  const step = record.steps.find(({ tool }) => tool === 'check_plan');
  const answer = record.messages.find(({ role, name }) => role === 'tool' && name === 'check_plan');
  if (!step || !answer) throw new Error('the record to grow from holds no checked plan');
  const made = { ...record, episode_id: `grown-${turns}-${bytes}`, model: 'vllm:grown', turns, messages: [...opening], steps: [] };
  const empty = JSON.stringify(build(0)).length;
  return build(Math.max(0, Math.floor((bytes - empty) / turns)));

  function build(each) {
    made.messages = [...opening];
    made.steps = [];
    for (let turn = 1; turn <= turns; turn++) {
      const plan = step.plan.map((slot, ship) => (ship === turn % step.plan.length ? { ...slot, berth_hour: slot.berth_hour + 1 + (turn % 5) } : slot));
      const id = `call_${turn}`;
      made.messages.push(
        {
          role: 'assistant',
          content: `**Draft ${turn}.** The next ship waits a little longer.\n\n- ${prose(turn, 200)}\n- ${prose(turn + 1, 200)}\n`,
          reasoning: prose(turn + 2, each),
          stop: 'tool_calls',
          tool_calls: [{ id, name: 'check_plan', arguments: JSON.stringify({ plan }) }],
        },
        { ...answer, tool_call_id: id },
      );
      made.steps.push({ ...step, turn, plan });
    }
    return made;
  }
}
