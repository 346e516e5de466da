-- As before, and a percentage takes off at least what it says (R61).
DROP TRIGGER `orders_begin_unpaid`;
--> statement-breakpoint
CREATE TRIGGER `orders_begin_unpaid` BEFORE INSERT ON `orders`
BEGIN
  SELECT RAISE(ABORT, 'an order begins unpaid') WHERE NEW.`state` <> 'unpaid';
  SELECT RAISE(ABORT, 'not on sale at this price, from this minimum, in this quantity')
    WHERE NOT EXISTS (
      SELECT 1 FROM `instruments`
      WHERE `id` = NEW.`instrument_id` AND `removed_at` IS NULL
        AND NEW.`total_cents` + coalesce(NEW.`discount_cents`, 0) = NEW.`quantity` * CASE WHEN NEW.`quote_id` IS NULL THEN min(coalesce((
          SELECT min(`value` ->> 'priceCents') FROM json_each(`instruments`.`price_breaks`) WHERE `value` ->> 'from' <= NEW.`quantity`
        ), `price_cents`), iif(NEW.`created_at` >= `sale_from_at` AND NEW.`created_at` < `sale_until_at`, `sale_cents`, `price_cents`)) ELSE (
          SELECT `unit_price_cents` FROM `quotes`
          WHERE `quotes`.`id` = NEW.`quote_id` AND `customer_id` = NEW.`customer_id` AND `instrument_id` = NEW.`instrument_id`
            AND `state` = 'offered' AND `quantity` = NEW.`quantity` AND `valid_until` > NEW.`created_at`
        ) END
        AND NEW.`quantity` BETWEEN `min_quantity` AND `available_quantity`
    );
  SELECT RAISE(ABORT, 'this code does not give this discount')
    WHERE NEW.`discount_code` IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM `discounts` AS `its` JOIN `instruments` ON `instruments`.`id` = NEW.`instrument_id`
      WHERE `code` = NEW.`discount_code` AND NEW.`quote_id` IS NULL AND `ended_at` IS NULL
        AND `from_at` <= NEW.`created_at` AND coalesce(`until_at` > NEW.`created_at`, 1)
        AND NEW.`total_cents` + NEW.`discount_cents` >= `min_total_cents`
        AND ((`its`.`instruments` = '[]' AND `families` = '[]')
          OR `instruments`.`id` IN (SELECT `value` FROM json_each(`its`.`instruments`))
          OR `family_slug` IN (SELECT `value` FROM json_each(`families`)))
        AND coalesce(`uses` < `max_uses`, 1)
        AND coalesce((
          SELECT count(*) FROM `orders` WHERE `discount_code` = `code` AND NEW.`customer_id` = `customer_id` AND `state` <> 'cancelled'
        ) < `max_uses_per_customer`, 1)
        -- A part of a cent is taken off whole, and never below what a card can pay.
        AND NEW.`unit_price_cents` = (
          SELECT max(`base` - coalesce(`amount_cents`, (`base` * `percent` + 99) / 100), (49 + NEW.`quantity`) / NEW.`quantity`)
          FROM (SELECT iif(`combines`, (NEW.`total_cents` + NEW.`discount_cents`) / NEW.`quantity`, `price_cents`) AS `base`)
        )
    );
END;
