//! What functions do when a statement calls them.
//!
//! Known functions that only compute are harmless; those that touch files, run code or reach other hosts are known by
//! name. Any other function is code that somebody put into the database, and calling it runs that code.

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What a call of a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Computes from its arguments.
    Harmless,
    /// Looks at the files or folders that its first argument names.
    ReadsFile,
    /// Writes the file that its last or second argument names.
    WritesFile,
    /// Changes the sequence that its first argument names.
    Changes,
    /// Changes the server: ends sessions, reloads settings.
    Administers,
    /// Runs text or code that is not read here.
    Runs,
    /// Reaches another host or database.
    Reaches,
    /// Not known.
    Unknown,
}

// Names with white space between, as a list of strings would fill a line each.

const READS_FILE: &str = "
    pg_read_file pg_read_binary_file pg_ls_dir pg_stat_file pg_ls_logdir pg_ls_waldir lo_import
    pg_read_server_files load_file readfile fsdir lsdir read_csv read_csv_auto read_parquet parquet_scan
    parquet_metadata parquet_schema read_json read_json_auto read_json_objects read_ndjson read_ndjson_auto
    read_ndjson_objects read_text read_blob read_xlsx sniff_csv glob_files sqlite_scan sqlite_attach
    delta_scan iceberg_scan st_read read_files file fileexists xp_fileexist xp_dirtree xp_subdirs
    fn_get_audit_file fn_xe_file_target_read_file bfilename zipfile csv_scan arrow_scan pgp_file";
const WRITES_FILE: &str = "
    lo_export pg_file_write writefile pg_file_rename pg_file_unlink";
const CHANGES: &str = "
    nextval setval";
const ADMINISTERS: &str = "
    pg_terminate_backend pg_cancel_backend pg_reload_conf pg_rotate_logfile pg_switch_wal
    pg_create_restore_point pg_promote pg_start_backup pg_stop_backup pg_drop_replication_slot
    pg_create_logical_replication_slot pg_create_physical_replication_slot pg_logical_slot_get_changes
    pg_stat_reset pg_stat_statements_reset lo_unlink lo_put lo_create lo_from_bytea lo_open lowrite loread
    lo_get set_config pg_notify pg_advisory_unlock_all pg_sync_replication_slots
    pg_log_backend_memory_contexts pg_wal_replay_pause pg_wal_replay_resume release_all_locks";
const RUNS: &str = "
    query_to_xml query_to_xmlschema query_to_xml_and_xmlschema cursor_to_xml cursor_to_xmlschema
    table_to_xml table_to_xml_and_xmlschema schema_to_xml schema_to_xml_and_xmlschema database_to_xml
    database_to_xml_and_xmlschema ts_stat ts_rewrite crosstab connectby xpath_table load_extension
    xp_cmdshell sp_executesql sp_oacreate sp_oamethod sys_exec sys_eval lib_mysqludf_sys_info eval edit
    fts3_tokenizer executable pg_execute_server_program query query_table dbms_xmlgen java_call python_eval";
const REACHES: &str = "
    dblink dblink_exec dblink_connect dblink_connect_u dblink_open dblink_send_query openrowset openquery
    opendatasource http_get http_post http_put http_delete http_head http url s3 gcs hdfs remote
    remotesecure cluster mysql postgresql mongodb redis jdbc odbc azureblobstorage deltalake iceberg
    httpuritype postgres_scan postgres_query mysql_scan mysql_query external_query net_http_get
    net_http_post ai_query http_request";

/// Families whose members only compute or look at the catalogue.
const HARMLESS_PREFIXES: &str = "
    json_ jsonb_ array_ regexp_ date_ timestamp_ datetime_ percentile_ regr_ covar_ var_ stddev_ approx_ st_
    bit_ bool_ current_ pg_get_ pg_size_ pg_total_ pg_relation_ pg_table_ pg_database_ pg_column_ pg_is_
    ts_rank hll_ inet_ txid_ cosine_ l2_";
const HARMLESS: &str = "
    abs acos add_months adddate addtime age aggregate akeys all any any_value app_name apply area arg_max
    arg_min argmax argmin array arrayjoin ascii asin atan atan2 avals avg avgif base64 benchmark bigint bin
    bit_length bm25 boolean box broadcast btrim cardinality cast cbrt ceil ceiling center century changes
    char char_length character_length charindex checksum_agg choose chr circle clock_timestamp coalesce
    coalesce_all col_description col_length col_name columnproperty columns compress concat concat_ws
    connection_id contains conv convert convert_from convert_to corr cos cosh cot count count_big countif
    crc32 crypt cume_dist curdate current_date current_time current_timestamp currval curtime database
    databasepropertyex date dateadd datediff datename datepart daterange dateserial datetime datetrunc day
    dayname dayofmonth dayofweek dayofyear db_id db_name decimal decode decode_case degrees dense_rank
    diameter difference digest div dmetaphone duckdb_columns duckdb_tables each editdist3 element_at elt
    empty encode ends_with endswith eomonth epoch error_message error_number every excluded exists exp
    explode extract factorial family field filter find_in_set first first_value flatten float floor fnv_hash
    format format_date format_timestamp format_type found_rows from_base64 from_days from_unixtime gcd
    gen_random_bytes gen_random_uuid gen_salt generate_array generate_date_array generate_series
    generate_subscripts generate_timestamp_array generate_uuid generateuuidv4 get get_format get_lock
    get_path getdate getutcdate getvalue glob greatest group_concat grouparray grouping grouping_id has
    has_column_privilege has_database_privilege has_schema_privilege has_table_privilege hash hashbytes hex
    highlight histogram hmac host host_name hour hstore ident_current ieee_divide if ifnull ignore iif ilike
    initcap inline inner_product insert instr int int4range int8range intdiv integer interval is_json
    isempty isfinite isjson isnull isnumeric json json5 jsonb julianday justify_days justify_hours
    justify_interval kurtosis lag lambda last last_day last_insert_id last_insert_rowid last_value lastval
    lcm lead least left len length levenshtein like like_regex likelihood likely list list_agg listagg ln
    localtime localtimestamp locate log log10 log2 lower lower_inc lpad ltrim make_date make_interval
    make_time make_timestamp make_timestamptz makedate maketime map map_keys map_values masklen match max
    max_by md5 median metaphone microsecond mid min min_by min_scale minute mod mode month monthname
    months_between nchar netmask network newid next_day normalize notempty now nth_value ntile nullif
    nullifzero num_nonnulls num_nulls numeric numnode numrange nvl nvl2 obj_description object_agg
    object_construct object_definition object_id object_name oct octet_length openjson overlaps overlay
    parse_date parse_json parse_timestamp patindex percent_rank period_add period_diff pg_advisory_lock
    pg_advisory_unlock pg_advisory_xact_lock pg_backend_pid pg_blocking_pids pg_char_to_encoding
    pg_conf_load_time pg_current_wal_lsn pg_encoding_to_char pg_indexes_size pg_options_to_table
    pg_postmaster_start_time pg_sleep pg_try_advisory_lock pg_typeof pg_wal_lsn_diff phraseto_tsquery pi
    plainto_tsquery point polygon posexplode position pow power pragma_foreign_key_list pragma_index_info
    pragma_index_list pragma_table_info pragma_table_list pragma_table_xinfo printf product quantile
    quantiles quarter querytree quote quote_ident quote_literal quote_nullable quotename radians raise
    raise_error rand random randomblob range_agg rank reduce regexp release_lock repeat replace reverse
    right rlike round row row_count row_number row_to_json rows rpad rtrim safe_cast safe_divide scale
    schema schema_id schema_name scope_identity sec_to_time second sequence serverproperty session_user
    setseed setweight sha1 sha2 sha224 sha256 sha384 sha512 shobj_description show_trgm sign similarity sin
    sinh size skeys sleep snippet some sort_array soundex space split split_part sqlite_source_id
    sqlite_version sqrt square starts_with startswith statement_timestamp std stddev str_to_date strcmp
    strftime strict_word_similarity string_agg string_split string_to_array string_to_table strpos strptime
    struct stuff subdate substr substring substring_index subtime sum sumif suser_name suser_sname svals
    switchoffset sysdate sysdatetime system_user tan tanh text time time_bucket time_format time_to_sec
    time_trunc timediff timeofday timestamp timestamptz timezone to_ascii to_base32 to_base64 to_char
    to_date to_days to_hex to_json to_jsonb to_number to_regclass to_seconds to_timestamp to_tsquery
    to_tsvector to_utf8 to_varchar todate todatetime today tointeger tomonth topk tostartofday tostartofhour
    tostartofmonth tostartofweek total total_changes toyear toyyyymm transaction_timestamp transform
    translate trim trim_scale trunc truncate try_cast try_convert try_parse try_to_date try_to_number
    tsquery tsrange tstzrange tsvector tuple type_name typeof unaccent uncompress unhex unicode uniq
    uniqexact unix_timestamp unixepoch unlikely unnest upper upper_inc user user_name utc_date utc_time
    utc_timestamp uuid uuid_generate_v1 uuid_generate_v4 uuidv4 uuidv7 value values varchar variance
    vec_distance_cosine vec_distance_l2 version websearch_to_tsquery week weekday weekofyear width_bucket
    word word_similarity xmlagg xmlelement xmlforest xpath xpath_exists year yearweek yesterday zeroblob
    zeroifnull";

static KNOWN: LazyLock<BTreeMap<&'static str, Kind>> = LazyLock::new(|| {
    // The later ones win over the harmless.
    let lists = [
        (HARMLESS, Kind::Harmless),
        (CHANGES, Kind::Changes),
        (ADMINISTERS, Kind::Administers),
        (WRITES_FILE, Kind::WritesFile),
        (READS_FILE, Kind::ReadsFile),
        (REACHES, Kind::Reaches),
        (RUNS, Kind::Runs),
    ];
    lists.iter().flat_map(|(names, kind)| names.split_whitespace().map(|name| (name, *kind))).collect()
});

/// What a call of the function with these name parts does.
pub(super) fn kind(parts: &[String]) -> Kind {
    let Some((name, schema)) = parts.split_last() else { return Kind::Unknown };
    let name = name.to_lowercase();
    let known = KNOWN.get(name.as_str()).copied();
    if let Some(kind) = known.filter(|kind| *kind != Kind::Harmless) {
        return kind;
    }
    if name.starts_with("xp_") || name.starts_with("sp_") {
        return Kind::Runs;
    }
    if name.starts_with("dblink") {
        return Kind::Reaches;
    }
    match schema.last().map(|part| part.to_lowercase()).as_deref() {
        None | Some("pg_catalog" | "sys" | "safe" | "net" | "hll_count") => {}
        Some(package) if package.starts_with("utl_") || package.starts_with("dbms_") => return Kind::Runs,
        // Whoever names a schema means a function of that schema, whatever the name looks like.
        Some(_) => return Kind::Unknown,
    }
    let is_of_family = |prefix| name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty());
    let is_harmless = known.is_some() || HARMLESS_PREFIXES.split_whitespace().any(is_of_family);
    if is_harmless { Kind::Harmless } else { Kind::Unknown }
}
