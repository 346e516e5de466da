DROP INDEX `instruments_on_sale_from_a_to_z`;--> statement-breakpoint
ALTER TABLE `instruments` ADD `name_key` text;--> statement-breakpoint
CREATE INDEX `instruments_without_name_key` ON `instruments` (`id`) WHERE "instruments"."name_key" IS NULL AND octet_length("instruments"."name") > length("instruments"."name");--> statement-breakpoint
CREATE INDEX `instruments_on_sale_from_a_to_z` ON `instruments` (coalesce("name_key", lower("name")),`id`) WHERE "instruments"."removed_at" IS NULL;--> statement-breakpoint
-- Of indexes that seem equal, SQLite takes the one that was made last.
DROP INDEX `instruments_short`;--> statement-breakpoint
CREATE INDEX `instruments_short` ON `instruments` (`available_quantity`,`id`) WHERE "instruments"."removed_at" IS NULL AND "instruments"."available_quantity" < coalesce("instruments"."low_stock_threshold" + 1, "instruments"."min_quantity");--> statement-breakpoint
-- The indexes take accents and case as the searches do, but not these letters, sizes and signs: see `replacedInSql`.
DROP TRIGGER `users_enter_the_search`;--> statement-breakpoint
CREATE TRIGGER `users_enter_the_search` AFTER INSERT ON `users`
BEGIN
  UPDATE `users` SET `search_id` = (SELECT coalesce(max(`search_id`), 0) + 1 FROM `users`) WHERE `id` = NEW.`id`;
  INSERT INTO `user_search` (`rowid`, `name`, `email`)
    SELECT `search_id`, (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, '½', ' 1/2'), '¾', ' 3/4'), '‘', ''''), '’', ''''), '‐', '-'), '‑', '-'), '–', '-'), '—', '-') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'Æ', 'ae'), 'Œ', 'oe'), 'Ø', 'o'), 'Ł', 'l'), 'Đ', 'd'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '¼', ' 1/4') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ı', 'i'), 'ẞ', 'ss') FROM (SELECT `name` AS text)) AS text)) AS text)), `email`
    FROM `users` WHERE `id` = NEW.`id`;
END;--> statement-breakpoint
DROP TRIGGER `users_change_in_the_search`;--> statement-breakpoint
CREATE TRIGGER `users_change_in_the_search` AFTER UPDATE OF `name`, `email` ON `users`
WHEN NEW.`name` <> OLD.`name` OR NEW.`email` <> OLD.`email`
BEGIN
  DELETE FROM `user_search` WHERE `rowid` = OLD.`search_id`;
  INSERT INTO `user_search` (`rowid`, `name`, `email`) VALUES (
    NEW.`search_id`,
    (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, '½', ' 1/2'), '¾', ' 3/4'), '‘', ''''), '’', ''''), '‐', '-'), '‑', '-'), '–', '-'), '—', '-') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'Æ', 'ae'), 'Œ', 'oe'), 'Ø', 'o'), 'Ł', 'l'), 'Đ', 'd'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '¼', ' 1/4') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ı', 'i'), 'ẞ', 'ss') FROM (SELECT NEW.`name` AS text)) AS text)) AS text)),
    NEW.`email`
  );
END;--> statement-breakpoint
DROP TRIGGER `instruments_with_new_words`;--> statement-breakpoint
CREATE TRIGGER `instruments_with_new_words` AFTER UPDATE OF `search_id`, `name`, `family_slug`, `brand`, `attributes`, `description`, `removed_at` ON `instruments`
WHEN NEW.`search_id` IS NOT NULL
BEGIN
  DELETE FROM `instrument_words`
    WHERE `rowid` IN (
      NEW.`search_id`, 1000000000 + NEW.`search_id`, 2000000000 + NEW.`search_id`, 3000000000 + NEW.`search_id`, 4000000000 + NEW.`search_id`
    );
  INSERT INTO `instrument_words` (`rowid`, `text`)
    SELECT `number`, (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, '½', ' 1/2'), '¾', ' 3/4'), '‘', ''''), '’', ''''), '‐', '-'), '‑', '-'), '–', '-'), '—', '-') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'Æ', 'ae'), 'Œ', 'oe'), 'Ø', 'o'), 'Ł', 'l'), 'Đ', 'd'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '¼', ' 1/4') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ı', 'i'), 'ẞ', 'ss') FROM (SELECT `words` AS text)) AS text)) AS text))
    FROM (
      SELECT NEW.`search_id` AS `number`, NEW.`name` AS `words`
      UNION ALL SELECT 1000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`))
      UNION ALL SELECT 2000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`)
      UNION ALL SELECT 3000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`, NEW.`attributes`)
        WHERE NEW.`attributes` <> '[]'
      UNION ALL SELECT 4000000000 + NEW.`search_id`, concat_ws(' ', NEW.`name`, (SELECT `name` FROM `families` WHERE `slug` = NEW.`family_slug`), NEW.`brand`, NEW.`attributes`, NEW.`description`)
    ) WHERE NEW.`removed_at` IS NULL;
END;--> statement-breakpoint
DELETE FROM `user_search` WHERE `rowid` IN (SELECT `search_id` FROM `users` WHERE `name` GLOB '*[ßæœøłđıẞÆŒØŁĐﬁﬂ¼½¾‘’‐‑–—]*');--> statement-breakpoint
INSERT INTO `user_search` (`rowid`, `name`, `email`)
  SELECT `search_id`, (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, '½', ' 1/2'), '¾', ' 3/4'), '‘', ''''), '’', ''''), '‐', '-'), '‑', '-'), '–', '-'), '—', '-') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'Æ', 'ae'), 'Œ', 'oe'), 'Ø', 'o'), 'Ł', 'l'), 'Đ', 'd'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '¼', ' 1/4') FROM (SELECT (SELECT replace(replace(replace(replace(replace(replace(replace(replace(text, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'ø', 'o'), 'ł', 'l'), 'đ', 'd'), 'ı', 'i'), 'ẞ', 'ss') FROM (SELECT `name` AS text)) AS text)) AS text)), `email`
  FROM `users` WHERE `name` GLOB '*[ßæœøłđıẞÆŒØŁĐﬁﬂ¼½¾‘’‐‑–—]*';--> statement-breakpoint
UPDATE `instruments` SET `search_id` = `search_id`
  WHERE concat_ws(' ', `name`, (SELECT `name` FROM `families` WHERE `slug` = `family_slug`), `brand`, `attributes`, `description`) GLOB '*[ßæœøłđıẞÆŒØŁĐﬁﬂ¼½¾]*';
