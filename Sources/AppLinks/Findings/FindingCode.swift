// The codes of findings. Programs read the raw values, so they never change.

/// The kind of a finding.
public enum FindingCode: String, Sendable, CaseIterable, Hashable {
    // MARK: The file

    /// The text isn't JSON.
    case invalidJSON = "invalid_json"
    /// The file exceeds the size that Apple's systems, or Android, read.
    case tooLarge = "too_large"
    /// The file is close to the size limit of Apple's systems.
    case nearSizeLimit = "near_size_limit"
    /// The file is signed, which only iOS 8 required.
    case signedFile = "signed_file"
    /// An object has a name twice; readers disagree about which one applies.
    case duplicateKey = "duplicate_key"
    /// The root value isn't an object.
    case rootNotObject = "root_not_object"
    /// The file associates nothing with any app.
    case noServices = "no_services"
    /// A value has a type that makes it count as absent, or worse.
    case wrongType = "wrong_type"
    /// The key is unknown to the systems that read the file.
    case unknownKey = "unknown_key"
    /// The key resembles a known one.
    case misspelledKey = "misspelled_key"

    // MARK: Apps

    /// The entry names no app.
    case missingAppID = "missing_app_id"
    /// The app ID isn't ten characters, a dot and a bundle ID.
    case malformedAppID = "malformed_app_id"
    /// The app ID comes from documentation or a template.
    case placeholderAppID = "placeholder_app_id"
    /// The app is in several entries; only the first one applies.
    case duplicateApp = "duplicate_app"
    /// `appIDs` makes `appID` ineffective.
    case ignoredAppID = "ignored_app_id"
    /// The ID of an App Clip doesn't have the suffix of App Clips.
    case appClipID = "app_clip_id"
    /// `applinks.apps` names apps, but is only read if there are no details.
    case appsNotEmpty = "apps_not_empty"

    // MARK: Entries

    /// There is no entry.
    case noDetails = "no_details"
    /// `details` is a dictionary, whose order is undefined.
    case dictionaryDetails = "dictionary_details"
    /// An entry without rules opens every URL.
    case noPatterns = "no_patterns"
    /// An entry with an empty list of rules opens nothing.
    case emptyRules = "empty_rules"
    /// An entry has both `components` and `paths`; current systems use only the former.
    case mixedFormats = "mixed_formats"
    /// An entry has only `paths`, the form of iOS 9.
    case legacyPaths = "legacy_paths"
    /// Every URL of the domain opens the app.
    case onlyCatchAll = "only_catch_all"
    /// No rule of an entry opens the app.
    case onlyExcludes = "only_excludes"

    // MARK: Order

    /// A rule after one that matches every URL is never reached.
    case deadRule = "dead_rule"
    /// A rule matches only URLs that an earlier one has decided.
    case shadowedRule = "shadowed_rule"
    /// A rule excludes only URLs that an earlier one opens in the app.
    case deadExclude = "dead_exclude"
    /// A rule repeats an earlier one.
    case duplicateRule = "duplicate_rule"
    /// A rule decides only what the next one decides in the same way.
    case redundantRule = "redundant_rule"
    /// Exclusions at the end of the list have an effect only for an app that has a wildcard domain
    /// too.
    case lastExclude = "last_exclude"

    // MARK: Patterns

    /// `"*"` for an item of the query requires nothing, not even that the item is present.
    case queryWildcard = "query_wildcard"
    /// The name of a query item is written as a pattern, or contains what no name does.
    case queryName = "query_name"
    /// A query as a single text depends on the order of its items.
    case orderedQuery = "ordered_query"
    /// A query begins with `?`, or a fragment with `#`, although these come before it.
    case repeatedDelimiter = "repeated_delimiter"
    /// A `#` in a path matches no URL; in a decoded one, none with a fragment.
    case fragmentInPath = "fragment_in_path"
    /// A path is written with a query, which it doesn't match.
    case queryInPath = "query_in_path"
    /// A path begins with a scheme or a host.
    case hostInPath = "host_in_path"
    /// A pattern looks like a regular expression.
    case regularExpression = "regular_expression"
    /// A pattern has a parameter in the syntax of web server routers.
    case routeParameter = "route_parameter"
    /// `NOT` is only supported in `paths`.
    case notInComponents = "not_in_components"
    /// `NOT` isn't followed by one space.
    case notWithoutSpace = "not_without_space"
    /// A flag isn't a boolean.
    case nonBooleanFlag = "non_boolean_flag"
    /// The pattern has characters that a URL contains only in percent-encoded form.
    case unencodedPattern = "unencoded_pattern"
    /// The pattern is percent-encoded, but URLs are decoded before the comparison.
    case encodedPattern = "encoded_pattern"
    /// The percent-encoding is in lowercase, but the comparison is case-sensitive.
    case lowercaseEncoding = "lowercase_encoding"
    /// A path of one character never matches a URL.
    case oneCharacterPath = "one_character_path"
    /// A path has no leading slash.
    case noLeadingSlash = "no_leading_slash"
    /// A path is only the root.
    case rootOnly = "root_only"
    /// A backslash doesn't escape anything.
    case backslash
    /// The variable is defined neither in the file nor by Apple's systems.
    case unknownVariable = "unknown_variable"
    /// A variable lacks its closing bracket.
    case unterminatedVariable = "unterminated_variable"
    /// The value of a variable contains a variable.
    case nestedVariable = "nested_variable"
    /// A variable of the file hides one of Apple's.
    case hiddenVariable = "hidden_variable"
    /// A pattern uses a variable without values.
    case emptyVariable = "empty_variable"
    /// No pattern uses the variable.
    case unusedVariable = "unused_variable"
    /// `$(region)` doesn't include `UK`.
    case regionWithoutUK = "region_without_uk"
    /// The pattern has many wildcards, so comparing is slow or fails.
    case manyWildcards = "many_wildcards"
    /// Older systems don't support the key.
    case newerSystem = "newer_system"

    // MARK: Hosting

    /// The file is not served with status 200.
    case badStatus = "bad_status"
    /// The file is not served itself, but redirected.
    case redirect
    /// The file is served without TLS.
    case insecureURL = "insecure_url"
    /// The file is served at another port than 443.
    case wrongPort = "wrong_port"
    /// The file is at a location that no system reads.
    case wrongPath = "wrong_path"
    /// The file isn't served as `application/json`.
    case contentType = "content_type"
    /// The server is slower than the timeout of Apple's.
    case slowAnswer = "slow_answer"
    /// The file is only at a location that devices and Apple's servers no longer read.
    case onlyAtRoot = "only_at_root"

    // MARK: Asset links

    /// The root value is not an array.
    case rootNotArray = "root_not_array"
    /// The array is empty.
    case noStatements = "no_statements"
    /// A member of the array is not an object.
    case statementNotObject = "statement_not_object"
    /// A statement repeats an earlier one.
    case duplicateStatement = "duplicate_statement"

    // MARK: Asset links: relations

    /// A statement has no `relation`.
    case relationMissing = "relation_missing"
    /// `relation` is not an array.
    case relationNotArray = "relation_not_array"
    /// `relation` is an empty array.
    case relationEmpty = "relation_empty"
    /// A relation is not a string of the form `kind/detail`.
    case relationInvalid = "relation_invalid"
    /// A relation isn't one of the well-known ones.
    case relationUnknown = "relation_unknown"
    /// No statement allows a named app to open the site's links.
    case linkRelationMissing = "link_relation_missing"

    // MARK: Asset links: targets

    /// A statement has no `target`.
    case targetMissing = "target_missing"
    /// `target` is not an object.
    case targetNotObject = "target_not_object"
    /// A target has no `namespace`.
    case namespaceMissing = "namespace_missing"
    /// A target's `namespace` is neither `web` nor `android_app`.
    case namespaceUnknown = "namespace_unknown"
    /// A web target has no `site`.
    case siteMissing = "site_missing"
    /// A site isn't a string, or its host or port is invalid.
    case siteInvalid = "site_invalid"
    /// A site has no scheme, or one that is neither `https` nor `http`.
    case siteSchemeInvalid = "site_scheme_invalid"
    /// A site has a user name.
    case siteHasUser = "site_has_user"
    /// A site has a path, even if it is only `/`.
    case siteHasPath = "site_has_path"
    /// A site has a query.
    case siteHasQuery = "site_has_query"
    /// A site has a fragment.
    case siteHasFragment = "site_has_fragment"
    /// An app target has no `package_name`.
    case packageMissing = "package_missing"
    /// A package name is invalid on Android.
    case packageInvalid = "package_invalid"

    // MARK: Asset links: fingerprints

    /// An app target has no `sha256_cert_fingerprints`.
    case fingerprintsMissing = "fingerprints_missing"
    /// `sha256_cert_fingerprints` is not an array.
    case fingerprintsNotArray = "fingerprints_not_array"
    /// `sha256_cert_fingerprints` is an empty array.
    case fingerprintsEmpty = "fingerprints_empty"
    /// A fingerprint is not 32 pairs of hexadecimal digits, for a reason without its own code.
    case fingerprintInvalid = "fingerprint_invalid"
    /// A fingerprint is a placeholder, or the one in Google's documentation.
    case fingerprintPlaceholder = "fingerprint_placeholder"
    /// A fingerprint has the length of SHA-1.
    case fingerprintSHA1 = "fingerprint_sha1"
    /// A fingerprint has the length of MD5.
    case fingerprintMD5 = "fingerprint_md5"
    /// A fingerprint has lowercase digits.
    case fingerprintLowerCase = "fingerprint_lower_case"
    /// A fingerprint's pairs are not separated.
    case fingerprintWithoutColons = "fingerprint_without_colons"
    /// A fingerprint is all zeros.
    case fingerprintAllZero = "fingerprint_all_zero"
    /// A fingerprint is that of a publicly known key.
    case fingerprintPublicKey = "fingerprint_public_key"
    /// A fingerprint is listed twice.
    case fingerprintDuplicate = "fingerprint_duplicate"

    // MARK: Asset links: includes

    /// `include` isn't the URL of a file.
    case includeInvalid = "include_invalid"
    /// `include` is combined with `relation` or `target`.
    case includeWithStatement = "include_with_statement"
    /// An https site includes a file without https.
    case includeInsecure = "include_insecure"

    // MARK: Asset links: dynamic rules

    /// `relation_extensions`, or its value for a relation, is not an object.
    case extensionNotObject = "extension_not_object"
    /// An extension is where Android ignores it.
    case extensionIgnored = "extension_ignored"
    /// `dynamic_app_link_components` is not an array.
    case dynamicRulesNotArray = "dynamic_rules_not_array"
    /// `dynamic_app_link_components` is an empty array.
    case dynamicRulesEmpty = "dynamic_rules_empty"
    /// Every dynamic rule excludes, so no link opens the app.
    case dynamicRulesClaimNothing = "dynamic_rules_claim_nothing"
    /// A dynamic rule is not an object.
    case dynamicRuleNotObject = "dynamic_rule_not_object"
    /// A dynamic rule has no parts to compare.
    case dynamicRuleEmpty = "dynamic_rule_empty"
    /// An earlier dynamic rule decides every link that this one could match.
    case dynamicRuleUnreachable = "dynamic_rule_unreachable"
    /// A part of a dynamic rule has the wrong type.
    case dynamicPartInvalid = "dynamic_part_invalid"
    /// A pattern of a dynamic rule is empty.
    case dynamicPatternEmpty = "dynamic_pattern_empty"
    /// A pattern of a dynamic rule is percent-encoded, unlike the text that it is compared with.
    case dynamicPatternEncoded = "dynamic_pattern_encoded"
    /// A pattern of a dynamic rule has a `*` before its end.
    case dynamicWildcardInside = "dynamic_wildcard_inside"
    /// A path pattern of a dynamic rule has a beginning that no path has.
    case dynamicPathUnrooted = "dynamic_path_unrooted"
    /// A path pattern of a dynamic rule contains a query.
    case dynamicPathHasQuery = "dynamic_path_has_query"
    /// A path pattern of a dynamic rule contains a fragment.
    case dynamicPathHasFragment = "dynamic_path_has_fragment"
}
