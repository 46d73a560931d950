//! Seeded rows of failures and results, as benchmarks and tests read them.
//!
//! Rows look like real ones: keys before or after the payload, decoys of the watched keys inside it,
//! escaped JSON in strings, runs of backslashes, Unicode, arrays of token ids, and sometimes a key
//! with an escape.

/// The shapes of rows: about 150 KB, 8 KB and 0.6 KB a row; and the bytes of payload aimed at.
pub const SHAPES: [(&str, usize); 3] = [("large", 149_000), ("medium", 6_000), ("small", 0)];

const KINDS: [&str; 12] = [
    "agent_run_error",
    "agent_run_error",
    "agent_run_error",
    "agent_request_failed",
    "environment_server_failed",
    "judge_failed",
    "judge_failed",
    "agent_timeout",
    "timeout_exceeded",
    "kill_shaped",
    "judge_faild",
    "chaos_weather:tool_crashed",
];
/// The last is a stage that nobody knows.
const STAGES: [&str; 5] = ["seed", "agent", "agent", "verification", "close"];
const STATUSES: [u64; 8] = [400, 401, 404, 429, 500, 500, 502, 503];
const FRAGMENTS: [&str; 16] = [
    "The patient presents with an acute onset of symptoms, which the protocol lists in section four.",
    r"Answer the question. Put the final answer inside \\boxed{}.\n\n",
    r#"{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Z\u00fcrich\", \"days\": [1, 2, 3]}}"#,
    "def solve(values: list[int]) -> int: return sum(v for v in values if v % 2 == 0)",
    r"\n    for index, row in enumerate(rows):\n        total += row[index]\n",
    "Größe, naïve, 東京の天気は晴れ, Привет мир, emoji 🚀🔥 and a dash — in plain UTF-8.",
    r#"b'\\\"Hit an exception in SimpleModelServer calling an inner server: b\\\\'{\\\\\\\"error\\\\\\\": 1}\\\\''\\\""#,
    r"\frac{a}{b} \\frac{1}{2} \\sum_{i=0}^{n} x_i^2 \t tab \/ slash \u2028 \ud83d\ude80 ",
    r#"\"_ng_failure_class\": \"judge_failed\", \"failure_kind\": \"agent_timeout\"}, {\"reward\": 1.0"#,
    "Grading priorities (in order): 1) factual equivalence to the reference, 2) completeness, 3) form.",
    "Let me think about it step by step; first the bounds, then the recurrence, then the base case. ",
    r"C:\\Users\\runner\\AppData\\Local\\Temp\\",
    "The response was cut off before the tool call was complete, so the harness asked once more for it.",
    "SELECT name, count(*) FROM runs WHERE stage = 'verification' GROUP BY name ORDER BY 2 DESC;",
    r#"<div class=\"row\">[{\"id\": 1}, {\"id\": 2}]</div>\r\n"#,
    "It follows that the sequence converges, since every term is bounded by the one that comes before.",
];

/// `SplitMix64`: small, seeded, the same everywhere.
#[derive(Debug)]
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).expect("an index fits")]
    }
}

/// An endless stream of rows of one shape. The same seed gives the same bytes on every machine.
#[derive(Debug)]
pub struct Rows {
    random: Random,
    row: Vec<u8>,
    number: u64,
    /// Bytes of payload in a row.
    payload: usize,
}

impl Rows {
    /// The rows of a shape, `large`, `medium` or `small`; `None` if there is no such shape.
    #[must_use]
    pub fn new(shape: &str, seed: u64) -> Option<Self> {
        let (_, payload) = SHAPES.into_iter().find(|(name, _)| *name == shape)?;
        Some(Self { random: Random(seed), row: Vec::new(), number: 0, payload })
    }

    /// The next row, with its newline.
    pub fn next_row(&mut self) -> &[u8] {
        self.row.clear();
        self.push("{");
        let keys_first = self.random.one_in(2);
        if keys_first {
            self.facts();
        }
        if self.payload == 0 {
            self.error_body();
        } else {
            self.payload();
        }
        if !keys_first {
            self.facts();
        }
        self.row.pop();
        self.push("}\n");
        self.number += 1;
        &self.row
    }

    fn push(&mut self, text: &str) {
        self.row.extend_from_slice(text.as_bytes());
    }

    fn facts(&mut self) {
        let (task, rollout) = (self.number / 4, self.number % 4);
        if self.random.one_in(10) {
            self.push(
                r#""reward":0.5,"mask_sample":false,"failure_kind":null,"failure_reason":null,"#,
            );
        } else {
            let kind = self.random.pick(&KINDS);
            let key = if self.random.one_in(100) {
                r"_ng_failure\u005fclass"
            } else {
                "_ng_failure_class"
            };
            self.push(&format!(r#""{key}":"{kind}","_ng_failure_type":"ClientResponseError","#));
            if self.random.one_in(2) {
                let status = self.random.pick(&STATUSES);
                self.push(&format!(r#""_ng_failure_message":"{status}, message='Internal Server Error', url='http://127.0.0.1:21315/run'","_ng_failure_http_status":{status},"#));
            } else {
                let stage = self.random.pick(&STAGES);
                self.push(&format!(r#""_ng_failure_message":"the session ended \"early\"","_ng_failure_terminal":false,"_ng_failure_stage":"{stage}","#));
            }
        }
        self.push(&format!(r#""_ng_task_index":{task},"_ng_rollout_index":{rollout},"agent_ref":{{"type":"responses_api_agents","name":"weather_agent"}},"_ng_environment_server":"weather_env","_ng_result_type":"legacy_agent","#));
    }

    fn error_body(&mut self) {
        self.push(r#""_ng_failure_response_body":""#);
        let target = self.row.len() + 60 + usize::try_from(self.random.below(200)).expect("small");
        self.text(target);
        self.push(r#"","#);
    }

    /// A model call, and as many more as the row has room for.
    fn payload(&mut self) {
        let spread = usize::try_from(self.random.below(self.payload as u64)).expect("small");
        let target = self.row.len() + self.payload / 2 + spread;
        self.call();
        self.push(r#","judge_evaluations":["#);
        while self.row.len() < target {
            self.push("{");
            self.call();
            self.push(r#","verdict_label":"[[A=B]]","failure_kind":"decoy","mask_sample":true},"#);
        }
        if self.row.ends_with(b",") {
            self.row.pop();
        }
        self.push(r#"],"verifier_metadata":{"_ng_task_index":7,"_ng_failure_class":"decoy"},"#);
    }

    /// The members that a request and its response take up, most of them null as in real rows.
    fn call(&mut self) {
        self.push(r#""responses_create_params":{"background":null,"include":null,"input":["#);
        for _ in 0..=self.random.below(4) {
            self.push(r#"{"content":""#);
            self.short_text();
            self.push(r#"","role":"user","type":"message","phase":null},"#);
        }
        self.row.pop();
        self.push(r#"],"instructions":null,"max_output_tokens":null,"max_tool_calls":null,"metadata":{"_ng_failure_class":"decoy","reward":1},"model":null,"parallel_tool_calls":true,"previous_response_id":null,"prompt":null,"reasoning":null,"service_tier":null,"store":null,"tool_choice":"auto","tools":[{"name":"get_weather","parameters":{"type":"object","properties":{"city":{"type":"string","description":""}},"required":["city"],"additionalProperties":false},"strict":true,"type":"function","description":""}],"top_logprobs":null,"top_p":null,"truncation":null,"user":null,"stream":null},"response":{"id":"resp_9c58568a166a4be4","created_at":1795983007.0,"error":null,"incomplete_details":null,"instructions":null,"metadata":{"failure_kind":"decoy"},"model":"policy","object":"response","output":["#);
        for _ in 0..=self.random.below(5) {
            self.item();
        }
        self.row.pop();
        self.push(r#"],"parallel_tool_calls":true,"temperature":1.0,"tool_choice":"auto","tools":[],"top_p":1.0,"background":null,"completed_at":null,"conversation":null,"max_output_tokens":null,"max_tool_calls":null,"moderation":null,"previous_response_id":null,"prompt":null,"reasoning":null,"service_tier":null,"status":"completed","text":null,"top_logprobs":null,"truncation":null,"usage":{"input_tokens":31,"input_tokens_details":{"cached_tokens":0},"output_tokens":7,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":38},"user":null}"#);
    }

    fn item(&mut self) {
        match self.random.below(8) {
            0 => {
                self.push(r#"{"type":"reasoning","encrypted_content":null,"content":null,"generation_token_ids":["#);
                for _ in 0..=self.random.below(60) {
                    let id = self.random.below(150_000);
                    self.push(&format!("{id},"));
                }
                self.row.pop();
                self.push(r#"],"summary":[]},"#);
            }
            1 => self.push(r#"{"type":"function_call","name":"get_weather","call_id":"call_8f2a","arguments":"{\"city\": \"Paris\", \"_ng_failure_class\": \"decoy\"}","status":"completed","failure_kind":"decoy"},"#),
            _ => {
                self.push(r#"{"id":"msg_826f651f485f45cf","content":[{"annotations":[],"text":""#);
                self.short_text();
                self.push(r#"","type":"output_text","logprobs":null}],"role":"assistant","status":"completed","type":"message","phase":null},"#);
            }
        }
    }

    fn short_text(&mut self) {
        let most = usize::try_from(self.random.below(500)).expect("small");
        self.text(self.row.len() + most);
    }

    fn text(&mut self, end: usize) {
        while self.row.len() < end {
            let fragment = self.random.pick(&FRAGMENTS);
            self.push(fragment);
        }
    }
}
