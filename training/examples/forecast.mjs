/**
 * A forecast from the files of a model folder, in plain TensorFlow.js: in Node and in a browser alike. `tf` has core and
 * layers, `model` is model.json loaded by `tf.loadLayersModel`, `card` and `features` are card.json and features.json, and
 * `row` is a row of examples.json or of `holdshort features`. What each step means stands in features.json.
 */
export function forecast(tf, model, card, features, row) {
  const x = features.inputs.map(({ name, mean, std, used }) => (used ? (row.inputs[name] - mean) / std : 0))
  const net = tf.tidy(() => Array.from(model.predict(tf.tensor2d([x])).dataSync()))
  const widths = [-Math.max(0.15, (row.p50 - row.p10) / row.scale), 0, Math.max(0.15, (row.p90 - row.p50) / row.scale)]
  const scaled = net.map((deviation, k) => deviation + widths[k]).sort((a, b) => a - b)
  const ofNet = scaled.map((value) => Math.max(0, row.p50 + row.scale * value))
  const rule = [Math.max(0, row.p10), row.p50, row.p90]
  // In the median the nets have half of their share.
  const shares = [card.net_share, 0.5 * card.net_share, card.net_share]
  const mixed = ofNet.map((minutes, k) => shares[k] * minutes + (1 - shares[k]) * rule[k])
  const onStep = ([p10, p50, p90]) => {
    const middle = row.step > 0 ? row.step * Math.round(p50 / row.step) : p50
    return [Math.min(p10, middle), middle, Math.max(p90, middle)]
  }
  const { served, table } = card.calibration.find(({ terminal }) => terminal === row.terminal)
  const baseline = [row.same_hour_p10, row.same_hour_p50, row.same_hour_p90]
  const [p10, p50, p90] = { model: onStep(mixed), rule: onStep(rule), baseline }[served]
  const bucket = table.buckets.filter(({ from_hours }) => from_hours <= row.horizon).at(-1)
  const low = Math.round(Math.max(0, p50 - bucket.low_factor * (p50 - p10 + 0.25)))
  const high = Math.round(p50 + bucket.high_factor * (p90 - p50 + 0.25))
  const interval = [Math.min(low, Math.floor(p50)), Math.max(high, Math.ceil(p50))]
  return {
    p10: interval[0],
    p50,
    p90: interval[1],
    p_within_5: confidence(table.confidence, p90 - p10, row.near_share),
  }
}

/** The probability of being within 5 minutes of the median, from the width before the calibration and the share of recent waits near the rule. */
function confidence({ intercept, log_width, near_odds }, width, near_share) {
  const share = 0.01 + 0.98 * near_share
  const odds = intercept + log_width * Math.log(1 + width) + near_odds * Math.log(share / (1 - share))
  return Math.min(0.99, Math.max(0.01, 1 / (1 + Math.exp(-odds))))
}
